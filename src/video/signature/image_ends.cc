// The frames around an end are compared with the image, cell by cell (frame_cells.h), from within the span outwards.
// The clip may move over the image: some frames within the span tell by their features where the image lies, and from
// these its place in the others follows, as if it went on with the same speed. The span ends where the correlation
// drops.

#include "video/signature/image_ends.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "octavo/error.h"
#include "video/signature/cell_products.h"
#include "video/signature/frame_cells.h"
#include "video/signature/frames_around.h"
#include "video/signature/segment_end.h"
#include "video/signature/segment_images.h"

namespace octavo {
namespace {

// Developed on made slideshows: docs/video-search.md, Images.
constexpr double span_reach = 1;         // [second] around an end: twice what coarse ends are off by
constexpr double least_certain = 2.5;    // FrameMatch::significance of frames that tell where the image lies
constexpr double least_of_block = 0.7;   // correlation within a block that shows the image
constexpr double least_loss = 0.03;      // of the correlation, where the image ends
constexpr int most_misses = 2;           // frames: one alone may be damaged
constexpr double at_a_cut = 0.02;        // [second] more than frames are apart at a cut
constexpr double time_rounding = 0.001;  // [second]

Image read_grey(const std::filesystem::path& file, const VideoOptions& video) {
  const SharedFrame frame = FramesAround(file, video, {}, 0).next();
  if (!frame) throw Error(ErrorCode::file_error, "'" + file.string() + "' has no frames");
  return frame->grey.clone();
}

// The frames around an end of a span.
struct SpanEnd {
  double centre = 0;  // [second]
  bool is_in = false;
  double reach = span_reach;
  std::vector<SharedFrame> frames{};
  bool is_at_border = false;  // of the clip: there are no frames beyond

  [[nodiscard]] bool lies_within(const ShownFrame& frame) const {
    return is_in ? frame.begin >= centre - time_rounding : frame.end <= centre + time_rounding;
  }
};

// How an end was found.
struct FoundEnd {
  double seconds = 0;
  double within = 0;  // [second] so far off it may be
  bool is_same = false;
};

// Compares frames of a clip with an image by one segment.
class ImageComparison {
 public:
  ImageComparison(const CopySegment& segment, bool is_query, const Image& image, SegmentSigners& signers)
      : segment_(segment),
        is_query_(is_query),
        image_(image),
        signers_(signers),
        signature_(signers.sign(image, segment, is_query)) {}

  // Whether a frame shows the image itself.
  [[nodiscard]] bool is_same(const Image& frame, double seconds) const {
    const auto [of_image, of_frame, blocks] = cells(frame, seconds);
    return blocks.size() >= least_places && show_one_image(of_image, of_frame, blocks);
  }

  // By the frames around it. None: there are no frames within the span.
  std::optional<FoundEnd> found(const SpanEnd& end) {
    std::vector<std::size_t> inside;
    for (std::size_t k = 0; k < end.frames.size(); ++k) {
      if (end.lies_within(*end.frames[k])) inside.push_back(k);
    }
    if (inside.empty()) return std::nullopt;
    if (!end.is_in) std::ranges::reverse(inside);
    const std::vector<const ShownFrame*> some = samples(end, inside);
    find_place(some);
    find_visible_blocks(some);
    std::size_t best = inside.front();
    double most = -1;
    std::vector<double> likenesses;
    for (const auto& one : end.frames) likenesses.push_back(likeness(*one));
    for (const std::size_t k : inside) {
      if (likenesses[k] > most) most = likenesses[k], best = k;
    }
    FoundEnd result = end_from(end, best, most - least_loss, likenesses);
    result.is_same = is_same(end.frames[best]->grey, end.frames[best]->begin);
    return result;
  }

 private:
  // The likeness falls below the limit.
  static FoundEnd end_from(const SpanEnd& end, std::size_t from, double limit, const std::vector<double>& likenesses) {
    const std::ptrdiff_t step = end.is_in ? -1 : 1;
    std::size_t last = from;
    int misses = 0;
    for (auto k = static_cast<std::ptrdiff_t>(from); k >= 0 && k < std::ssize(likenesses) && misses < most_misses;
         k += step) {
      const auto at = static_cast<std::size_t>(k);
      misses = likenesses[at] >= limit ? 0 : misses + 1;
      if (misses == 0) last = at;
    }
    const bool is_told = misses > 0 || end.is_at_border;
    const ShownFrame& frame = *end.frames[last];
    return {.seconds = end.is_in ? frame.begin : frame.end, .within = is_told ? at_a_cut : span_reach};
  }

  // Some frames within the span, from its end inwards.
  static std::vector<const ShownFrame*> samples(const SpanEnd& end, const std::vector<std::size_t>& inside) {
    constexpr std::array moments{0.0, 0.25, 0.5};  // [second]
    std::vector<const ShownFrame*> some;
    for (const double moment : moments) {
      const auto is_beyond = [&](std::size_t k) {
        const ShownFrame& one = *end.frames[k];
        return (end.is_in ? one.begin - end.centre : end.centre - one.end) >= moment - time_rounding;
      };
      const auto k = std::ranges::find_if(inside, is_beyond);
      if (k == inside.end() || (!some.empty() && end.frames[*k].get() == some.back())) continue;
      some.push_back(end.frames[*k].get());
    }
    return some;
  }

  // Where the image lies in some frames.
  void find_place(const std::vector<const ShownFrame*>& frames) {
    places_.clear();
    for (const ShownFrame* one : frames) {
      const FrameSignature frame = signers_.sign(one->grey, segment_, !is_query_);
      const FrameMatch match = is_query_ ? match_frames(signature_, frame) : match_frames(frame, signature_);
      if (match.significance >= least_certain) places_.emplace_back(one->begin, match.b_from_a);
    }
  }

  // Which blocks show the image in most of some frames: it may be cut off, or be hidden in part.
  void find_visible_blocks(const std::vector<const ShownFrame*>& frames) {
    std::array<std::size_t, CellGrid::block_count> times{};
    for (const ShownFrame* one : frames) {
      const auto [of_image, of_frame, blocks] = cells(one->grey, one->begin);
      const auto correlations = correlations_in_space({{&of_image, &of_frame}}, blocks);
      for (std::size_t b = 0; b < times.size(); ++b) {
        times[b] += !correlations[b].empty() && correlations[b].front() >= least_of_block ? 1 : 0;
      }
    }
    for (std::size_t b = 0; b < times.size(); ++b) is_visible_[b] = 2 * times[b] > frames.size();
  }

  // The similarity of the frame at this time.
  [[nodiscard]] Similarity place_at(double seconds) const {
    if (places_.empty()) return segment_.other_from_query;
    const auto& [first_time, first] = places_.front();
    const auto& [last_time, last] = places_.back();
    if (first_time == last_time) return first;
    const double share = (seconds - first_time) / (last_time - first_time);
    // Clang captures no structured binding before version 16.
    const auto between = [share, &first = first, &last = last](double Similarity::*part) {
      return first.*part + share * (last.*part - first.*part);
    };
    return {.a = between(&Similarity::a),
            .b = between(&Similarity::b),
            .tx = between(&Similarity::tx),
            .ty = between(&Similarity::ty),
            .stretch = between(&Similarity::stretch)};
  }

  struct ComparedCells {
    FrameCells of_image, of_frame;
    std::vector<std::size_t> blocks;
  };

  [[nodiscard]] ComparedCells cells(const Image& frame, double seconds) const {
    CopySegment at = segment_;
    at.other_from_query = place_at(seconds);
    SharedCells both = shared_cells(at, is_query_ ? image_ : frame, is_query_ ? frame : image_);
    ComparedCells result{std::move(both.query), std::move(both.other), std::move(both.blocks)};
    if (!is_query_) std::swap(result.of_image, result.of_frame);
    return result;
  }

  [[nodiscard]] double likeness(const ShownFrame& frame) const {
    const ComparedCells both = cells(frame.grey, frame.begin);
    std::vector<std::size_t> all, visible;
    for (std::size_t p = 0; p < both.blocks.size(); ++p) {
      all.push_back(p);
      if (is_visible_[both.blocks[p]]) visible.push_back(p);
    }
    const std::vector<std::size_t>& places = visible.size() >= least_places ? visible : all;
    if (places.size() < least_places) return -1;
    return correlation(both.of_image.values, both.of_frame.values, places, std::vector<double>(places.size(), 1));
  }

  const CopySegment& segment_;
  bool is_query_;  // the image
  const Image& image_;
  SegmentSigners& signers_;
  FrameSignature signature_;  // of the image
  std::array<bool, CellGrid::block_count> is_visible_{};
  std::vector<std::pair<double, Similarity>> places_;  // by time from the end inwards [second]
};

// Reads the frames around ends of spans. Each end is given to `take` when its frames are there, and then loses them.
template <class Take>
void read_ends(const std::filesystem::path& clip, const VideoOptions& video, std::vector<SpanEnd>& ends,
               const ProgressSink& progress, const Take& take) {
  std::vector<double> centres;
  std::vector<SpanEnd*> windows;
  for (SpanEnd& end : ends) {
    centres.push_back(end.centre);
    windows.push_back(&end);
  }
  FramesAround frames(clip, video, centres, span_reach);
  fill_windows(
      frames, std::span<SpanEnd* const>(windows), progress, [](const SharedFrame& frame) { return frame->begin; },
      [](const SpanEnd&, const SharedFrame& shown) { return std::optional(shown); },
      [&](SpanEnd& end, bool is_last) {
        end.is_at_border = end.is_in ? !end.frames.empty() && end.frames.front()->begin <= 0 : is_last;
        take(end);
        end.frames.clear();
      });
}

// [second] The frames around an end are so long, in the middle.
double usual_length(const SpanEnd& end) {
  std::vector<double> lengths;
  for (const auto& one : end.frames) lengths.push_back(one->end - one->begin);
  return lengths.empty() ? 0 : median(std::move(lengths));
}

// The segment with the ends of its span in the clip; none if neither shows the image.
std::optional<CopySegment> with_ends(CopySegment segment, bool is_query, const std::optional<FoundEnd>& in,
                                     const std::optional<FoundEnd>& out, double frame) {
  if (!in || !out) return segment;  // no frames
  if (!in->is_same && !out->is_same) return std::nullopt;
  if (in->seconds >= out->seconds) return segment;
  (is_query ? segment.other_in : segment.query_in) = in->seconds;
  (is_query ? segment.other_out : segment.query_out) = out->seconds;
  segment.change_in = segment.query_in;
  segment.change_out = segment.query_out;
  segment.ends_within = std::max(in->within, out->within);
  segment.exact_ends = segment.ends_within <= 2 * frame + time_rounding;
  return segment;
}

// Two images have no ends.
std::vector<CopySegment> same_images(std::span<const CopySegment> segments, const Image& query, const Image& other) {
  SegmentSigners signers;
  std::vector<CopySegment> result;
  for (const CopySegment& one : segments) {
    if (ImageComparison(one, true, query, signers).is_same(other, 0)) result.push_back(one);
  }
  return result;
}

}  // namespace

std::vector<CopySegment> refined_images(std::span<const CopySegment> segments, const std::filesystem::path& query,
                                        const std::filesystem::path& other, const VideoOptions& video,
                                        const ProgressSink& progress) {
  const bool is_query = segments.front().query_in == segments.front().query_out;  // the image
  const Image image = read_grey(is_query ? query : other, video);
  if (is_query && segments.front().other_in == segments.front().other_out) {
    return same_images(segments, image, read_grey(other, video));
  }
  SegmentSigners signers;
  std::vector<ImageComparison> comparisons;
  std::vector<SpanEnd> ends;
  for (const CopySegment& one : segments) {
    comparisons.emplace_back(one, is_query, image, signers);
    ends.push_back({.centre = is_query ? one.other_in : one.query_in, .is_in = true});
    ends.push_back({.centre = is_query ? one.other_out : one.query_out, .is_in = false});
  }
  std::vector<std::optional<FoundEnd>> found(ends.size());
  double frame = 0;
  read_ends(is_query ? other : query, video, ends, progress, [&](const SpanEnd& end) {
    const auto e = static_cast<std::size_t>(&end - ends.data());
    found[e] = comparisons[e / 2].found(end);
    frame = std::max(frame, usual_length(end));
  });
  std::vector<CopySegment> result;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (auto one = with_ends(segments[i], is_query, found[2 * i], found[2 * i + 1], frame)) result.push_back(*one);
  }
  return result;
}

}  // namespace octavo
