// A frame shows an image if its features agree with it far beyond chance, spread over the image. From the frame with
// most of them the neighbours follow, each with its own similarity, since the clip may move over the image.

#include "video/signature/shown_images.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <set>
#include <vector>

#include "video/signature/logarithm.h"

namespace octavo {
namespace {

// Developed on made slideshows: docs/video-search.md, Images.
constexpr double least_spread_of_image = 0.2;      // FrameMatch::spread of the frame that says it,
constexpr double least_spread_of_neighbour = 0.1;  // and of those beside it
constexpr double least_sure = 2.5;                 // FrameMatch::significance of these
constexpr double least_of_neighbour = 0.4;         // of the inliers of the frame beside it; slides share their heads
constexpr double longest_break = 1;                // [second] of frames that do not match within a span
constexpr double most_of_one = 20;                 // FrameMatch::significance that counts at most
constexpr double similarities_tried = 4;           // log10 of their number: those of the pairs of features

// Frames of a clip beside an image; of two images the other one is the clip.
class ImageInClip {
 public:
  ImageInClip(ComparedFrames& clips, const CopyOptions& options)
      : clips_(clips), options_(options), is_query_(is_image(clips.query)), is_taken_(clip().frames.size()) {}

  // The frames of the clip that the hits name, those with most inliers first.
  std::vector<std::int32_t> seeds(std::span<const FrameHit> hits) {
    std::set<std::int32_t> frames;
    for (const FrameHit& hit : hits) frames.insert(is_query_ ? hit.other : hit.query);
    std::vector<std::int32_t> sorted(frames.begin(), frames.end());
    std::ranges::stable_sort(sorted, std::ranges::greater{}, [&](std::int32_t k) { return match(k).inliers; });
    return sorted;
  }

  // The span around a frame that shows the image, and lies in no span yet.
  std::optional<CopySegment> span(std::int32_t seed) {
    if (is_taken(seed)) return std::nullopt;
    const FrameMatch found = match(seed);
    const double frames = static_cast<double>(clip().frames.size());
    const double score = std::min(found.significance, most_of_one) - log10_of(frames) - similarities_tried;
    if (found.inliers == 0 || found.spread < least_spread_of_image || score < options_.min_score) return std::nullopt;
    std::vector<std::int32_t> before = followed(seed, -1), shown{before.rbegin(), before.rend()};
    shown.push_back(seed);
    for (const std::int32_t k : followed(seed, 1)) shown.push_back(k);
    const bool is_rest = goes_on(shown.front(), -1) || goes_on(shown.back(), 1);
    for (std::int32_t k = shown.front(); k <= shown.back(); ++k) is_taken_[static_cast<std::size_t>(k)] = true;
    if (is_rest) return std::nullopt;
    return segment_of(shown, score);
  }

 private:
  [[nodiscard]] const ClipSignature& clip() const { return is_query_ ? clips_.other : clips_.query; }
  [[nodiscard]] bool is_taken(std::int32_t k) const { return is_taken_[static_cast<std::size_t>(k)]; }
  FrameMatch match(std::int32_t k) { return is_query_ ? clips_.match(0, k) : clips_.match(k, 0); }

  // The frames in one direction from `from` that show the image, up to a gap or another span.
  std::vector<std::int32_t> followed(std::int32_t from, std::int32_t step) {
    std::vector<std::int32_t> shown;
    int inliers = match(from).inliers;
    double gap = 0;
    for (std::int32_t k = from + step; k >= 0 && k < std::ssize(clip().frames) && gap <= longest_break; k += step) {
      if (is_taken(k)) break;
      const FrameMatch one = match(k);
      if (one.significance >= least_sure && one.spread >= least_spread_of_neighbour &&
          one.inliers >= least_of_neighbour * inliers) {
        shown.push_back(k);
        inliers = one.inliers;
        gap = 0;
      } else {
        const FrameSignature& frame = clip().frames[static_cast<std::size_t>(k)];
        gap += frame.until - frame.seconds;
      }
    }
    return shown;
  }

  // Whether a span beside this frame shows the image at the same place, with more inliers: the image fades there.
  bool goes_on(std::int32_t k, std::int32_t step) {
    const std::int32_t beside = k + step;
    if (beside < 0 || beside >= std::ssize(clip().frames) || !is_taken(beside)) return false;
    const Similarity there = match(beside).b_from_a;
    const Agreement same = is_query_ ? clips_.agreement_of(0, k, there) : clips_.agreement_of(k, 0, there);
    return 2 * std::ssize(same.in_a) >= match(k).inliers;
  }

  CopySegment segment_of(const std::vector<std::int32_t>& shown, double score) {
    const FrameSignature &first = clip().frames[static_cast<std::size_t>(shown.front())],
                         &last = clip().frames[static_cast<std::size_t>(shown.back())];
    CopySegment segment{.still = true, .frames = static_cast<int>(shown.size()), .score = score};
    (is_query_ ? segment.other_in : segment.query_in) = first.seconds;
    (is_query_ ? segment.other_out : segment.query_out) = last.until;
    segment.change_in = segment.query_in;
    segment.change_out = segment.query_out;
    segment.exact_ends = is_image(clip());
    if (!segment.exact_ends) segment.ends_within = is_query_ ? clips_.other_step : clips_.query_step;
    for (const std::int32_t k : shown) segment.inliers += match(k).inliers;
    segment.other_from_query = match(middle_of(shown)).b_from_a;
    return segment;
  }

  // Of the frames with at least half of the inliers of the best one, that which lies nearest to the middle.
  std::int32_t middle_of(const std::vector<std::int32_t>& shown) {
    int most = 0;
    for (const std::int32_t k : shown) most = std::max(most, match(k).inliers);
    const auto time_of = [&](std::int32_t k) { return clip().frames[static_cast<std::size_t>(k)].seconds; };
    const double middle = (time_of(shown.front()) + time_of(shown.back())) / 2;
    std::int32_t best = -1;
    for (const std::int32_t k : shown) {
      if (2 * match(k).inliers < most) continue;
      if (best < 0 || std::abs(time_of(k) - middle) < std::abs(time_of(best) - middle)) best = k;
    }
    return best;
  }

  ComparedFrames& clips_;
  const CopyOptions& options_;
  bool is_query_;               // the image
  std::vector<bool> is_taken_;  // of the frames of the clip
};

}  // namespace

std::vector<CopySegment> shown_images(ComparedFrames& clips, std::span<const FrameHit> hits,
                                      const CopyOptions& options) {
  ImageInClip image(clips, options);
  std::vector<CopySegment> found;
  for (const std::int32_t seed : image.seeds(hits)) {
    if (const std::optional<CopySegment> segment = image.span(seed)) found.push_back(*segment);
  }
  std::ranges::stable_sort(found, std::ranges::greater{}, &CopySegment::score);
  return found;
}

}  // namespace octavo
