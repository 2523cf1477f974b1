// The whole way from two pictures to the homography between them; each step has its own folder.

#include "octavo/align.h"

namespace octavo {

Alignment align(Extractor& extractor, Matcher& matcher, const ImageView& image_a, const ImageView& image_b,
                const RobustOptions& robust) {
  validate(robust);
  Alignment result;
  result.a = extractor.extract(image_a);
  result.b = extractor.extract(image_b);
  result.matches = matcher.match(result.a, result.b);
  const PointPairs pairs = point_pairs(result.a, result.b, result.matches);
  result.homography = estimate_homography(pairs.a, pairs.b, robust);
  return result;
}

}  // namespace octavo
