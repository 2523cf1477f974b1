// All steps from two images to the homography between them. Each step has its own folder.

#include "octavo/multiview/align.h"

#include <utility>

#include "io/images/mask.h"
#include "multiview/align/aligned.h"
#include "multiview/align/distinct_places.h"
#include "multiview/align/second_motion.h"
#include "multiview/align/seen_doubts.h"
#include "multiview/align/seen_parallax.h"
#include "octavo/multiview/geometry.h"

namespace octavo {

Alignment aligned(Features a, Features b, Matcher& matcher, const ImageView& image_a, const ImageView& image_b,
                  const RobustOptions& robust, const ProgressSink& progress) {
  Alignment result;
  result.a = std::move(a);
  result.b = std::move(b);
  report(progress, "matches");
  result.matches = matcher.match(result.a, result.b);
  refine_matches(image_a, result.a, image_b, result.b, result.matches);
  report(progress, "homography");
  result.homography = estimate_homography(result.a, result.b, result.matches, robust);
  const PointPairs pairs = point_pairs(result.a, result.b, result.matches);
  require_a_fifth_place(result.homography, pairs);
  result.warnings =
      warnings_of(result.homography, pairs, {image_a.width, image_a.height}, {image_b.width, image_b.height}, robust);
  keep_seen_parallax(result.warnings, result.homography, pairs, image_a, image_b, robust);
  if (result.homography.found) add_seen_doubts({image_a, image_b, result.a, result.b}, result, robust.threshold);
  warn_of_second_motion(result.warnings, result.homography, pairs, image_a, image_b, robust);
  return result;
}

Alignment align(Extractor& extractor, Matcher& matcher, const ImageView& image_a, const ImageView& image_b,
                const RobustOptions& robust, const ProgressSink& progress) {
  validate(robust);
  report(progress, "features of A");
  Features a = extract_shown(extractor, image_a);
  report(progress, "features of B");
  Features b = extract_shown(extractor, image_b);
  return aligned(std::move(a), std::move(b), matcher, image_a, image_b, robust, progress);
}

}  // namespace octavo
