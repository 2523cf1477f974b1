// The matches of two images, one by one.

#include "octavo/multiview/geometry.h"

#include <atomic>
#include <opencv2/core/utility.hpp>
#include <vector>

#include "multiview/refine/template.h"

namespace octavo {

std::size_t refine_matches(const ImageView& image_a, const Features& a, const ImageView& image_b, Features& b,
                           std::span<const Match> matches) {
  static_cast<void>(point_pairs(a, b, matches));  // which refuses indices out of range
  const refine::PatchImage in_a(image_a), in_b(image_b);
  std::vector<int> partners(b.size());
  for (const Match& match : matches) ++partners[static_cast<std::size_t>(match.b)];
  std::atomic<std::size_t> moved = 0;
  cv::parallel_for_(cv::Range(0, static_cast<int>(matches.size())), [&](const cv::Range& range) {
    for (int i = range.start; i < range.end; ++i) {
      const Match& match = matches[static_cast<std::size_t>(i)];
      const Keypoint& shown = a.keypoints[static_cast<std::size_t>(match.a)];
      Keypoint& sought = b.keypoints[static_cast<std::size_t>(match.b)];
      if (partners[static_cast<std::size_t>(match.b)] > 1 || !refine::has_frame(shown) || !refine::has_frame(sought))
        continue;
      const auto found = refine::Template(in_a.around(shown)).found(sought, in_b.around(sought));
      if (!found) continue;
      sought = *found;
      ++moved;
    }
  });
  return moved;
}

}  // namespace octavo
