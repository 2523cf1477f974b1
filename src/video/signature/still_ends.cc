// Each clip is compared with the image that the other one shows, frame by frame from within its span outwards: the span
// ends where the correlation drops. A cut makes one frame of this, a dissolve many.

#include "video/signature/still_ends.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "video/signature/cell_products.h"

namespace octavo {
namespace {

// Developed on made slides and stills: docs/video-search.md, Ends.
constexpr double least_drop = 0.03;      // of the correlation, where another image begins
constexpr double between_images = 0.02;  // [second] more than frames are apart at a cut

struct StillEnd {
  double end = 0;     ///< [second]
  double within = 0;  ///< [second] so far off it may be
};

// The frame of the window that lies farthest within the span.
const FrameCells* innermost(const CellWindow& window, bool is_in) {
  if (window.frames.empty()) return nullptr;
  return is_in ? &window.frames.back() : &window.frames.front();
}

// From the innermost frame of the window outwards.
StillEnd end_of(const CellWindow& window, const FrameCells& image, const std::vector<std::size_t>& places, bool is_in) {
  std::vector<const FrameCells*> outwards;
  for (const FrameCells& frame : window.frames) outwards.push_back(&frame);
  if (is_in) std::ranges::reverse(outwards);
  const std::vector<double> weights(places.size(), 1);
  const auto likeness = [&](const FrameCells* frame) {
    return correlation(frame->values, image.values, places, weights);
  };
  const double limit = likeness(outwards.front()) - least_drop;
  const auto next = std::ranges::find_if(outwards, [&](const FrameCells* one) { return likeness(one) < limit; });
  const FrameCells& last = **(next - 1);
  const double end = is_in ? last.begin : last.end;
  // The window, and not the clip, may end first.
  const bool is_told = next != outwards.end() || (is_in ? last.begin <= 0 : last.end < window.centre + window.reach);
  return {end, is_told ? between_images : window.reach};
}

}  // namespace

std::optional<CopySegment> refined_still(const CopySegment& coarse, const CellGrid& grid, const StillWindows& query,
                                         const StillWindows& other) {
  const FrameCells *of_query = innermost(query.in, true), *of_other = innermost(other.in, true);
  if (of_query == nullptr || of_other == nullptr) return coarse;
  if (!show_one_image(*of_query, *of_other, grid.blocks)) return std::nullopt;
  std::vector<std::size_t> places(grid.blocks.size());
  for (std::size_t p = 0; p < places.size(); ++p) places[p] = p;
  CopySegment result = coarse;
  result.ends_within = 0;
  const auto set = [&](double& end, const CellWindow& window, const FrameCells& image, bool is_in) {
    const StillEnd shown = end_of(window, image, places, is_in);
    end = shown.end;
    result.ends_within = std::max(result.ends_within, shown.within);
  };
  set(result.query_in, query.in, *of_other, true);
  set(result.query_out, query.out, *of_other, false);
  set(result.other_in, other.in, *of_query, true);
  set(result.other_out, other.out, *of_query, false);
  return result;
}

}  // namespace octavo
