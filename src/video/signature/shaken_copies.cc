#include "video/signature/shaken_copies.h"

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "octavo/image.h"
#include "video/frames/frames_at.h"
#include "video/signature/cell_products.h"
#include "video/signature/frame_matches.h"
#include "video/signature/segment_images.h"

namespace octavo {
namespace {

constexpr std::array moments_of_shake{0.1, 0.3, 0.5, 0.7, 0.9};  // shares of the segment
// [second] from a coarse line, which is wrong by up to half a second; the nearest frames first.
constexpr std::array shifts_of_line{0.0, -0.15, 0.15, -0.3, 0.3, -0.45, 0.45};
constexpr double least_of_place = 2.5;  // FrameMatch::significance of frames that tell where the image lies
// Correlation of a block. In two parts of one flight towards a town up to 0.45 of the blocks reach it, those of the
// skyline; in shaken copies of 320 pixels under noise, coded coarsely, 0.56 and more.
constexpr double least_of_same_block = 0.9;

// The frames at these times; empty images beyond the clip.
std::vector<Image> images_at(const std::filesystem::path& clip, const std::vector<double>& times,
                             const VideoOptions& video, const ProgressSink& progress) {
  std::vector<Image> images(times.size());
  std::vector<FrameRequest> requests;
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (times[k] < 0) continue;
    requests.push_back(
        {times[k], [&image = images[k]](const VideoFrame& frame, double) { image = frame.grey.clone(); }});
  }
  read_frames_at(clip, std::move(requests), video, progress);
  return images;
}

// Whether an image of the query and one of the other clip are one: most blocks do. None if features tell no place.
std::optional<bool> is_one_image(SegmentSigners& signers, const CopySegment& shaken, const FrameSignature& signature,
                                 const Image& query, const Image& other) {
  if (other.empty()) return std::nullopt;
  const FrameMatch match = match_frames(signature, signers.sign(other, shaken, false));
  if (match.significance < least_of_place) return std::nullopt;
  CopySegment placed = shaken;
  placed.other_from_query = match.b_from_a;
  const SharedCells cells = shared_cells(placed, query, other);
  std::size_t textured = 0, same = 0;
  for (const std::vector<double>& block : correlations_in_space({{&cells.query, &cells.other}}, cells.blocks)) {
    if (block.empty()) continue;
    ++textured;
    same += block.front() >= least_of_same_block ? 1 : 0;
  }
  return same > 0 && 2 * same >= textured;
}

}  // namespace

bool shows_images_of(const CopySegment& shaken, const std::filesystem::path& query, const std::filesystem::path& other,
                     const VideoOptions& video, const ProgressSink& progress) {
  std::vector<double> query_times, other_times;
  for (const double share : moments_of_shake) {
    const double along = share * (shaken.other_out - shaken.other_in);
    const double at = shaken.speed < 0 ? shaken.other_out - along : shaken.other_in + along;
    query_times.push_back(shaken.query_in + share * (shaken.query_out - shaken.query_in));
    for (const double shift : shifts_of_line) other_times.push_back(at + shift);
  }
  const std::vector<Image> of_query = images_at(query, query_times, video, progress),
                           of_other = images_at(other, other_times, video, progress);
  SegmentSigners signers;
  std::size_t told = 0, same = 0;
  for (std::size_t moment = 0; moment < of_query.size() && 2 * same < of_query.size(); ++moment) {
    if (of_query[moment].empty()) continue;
    const FrameSignature signature = signers.sign(of_query[moment], shaken, true);
    std::optional<bool> is_one;
    for (std::size_t k = 0; k < shifts_of_line.size() && !is_one.value_or(false); ++k) {
      const Image& image = of_other[moment * shifts_of_line.size() + k];
      if (const auto one = is_one_image(signers, shaken, signature, of_query[moment], image)) is_one = one;
    }
    told += is_one ? 1 : 0;
    same += is_one.value_or(false) ? 1 : 0;
  }
  return 2 * same >= told;
}

}  // namespace octavo
