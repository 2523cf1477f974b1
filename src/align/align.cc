// All steps from two pictures to the homography between them. Each step has its own folder.

#include "octavo/align.h"

#include <algorithm>
#include <numeric>

namespace octavo {

namespace {

// PROSAC first draws from the first pairs, so the pairs with the closest descriptors come first. Matches keep their
// order.
RobustModel homography_of(const Alignment& found, const RobustOptions& robust) {
  std::vector<std::size_t> order(found.matches.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (robust.method == RobustOptions::Method::prosac) {
    std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
      return found.matches[i].distance2 < found.matches[j].distance2;
    });
  }
  std::vector<Match> matches;
  for (const std::size_t i : order) matches.push_back(found.matches[i]);
  const PointPairs pairs = point_pairs(found.a, found.b, matches);
  RobustModel model = estimate_homography(pairs.a, pairs.b, robust);
  const std::vector<std::uint8_t> inliers = model.inliers;
  for (std::size_t k = 0; k < inliers.size(); ++k) model.inliers[order[k]] = inliers[k];
  return model;
}

}  // namespace

Alignment align(Extractor& extractor, Matcher& matcher, const ImageView& image_a, const ImageView& image_b,
                const RobustOptions& robust, const ProgressSink& progress) {
  validate(robust);
  Alignment result;
  report(progress, "features of A");
  result.a = extractor.extract(image_a);
  report(progress, "features of B");
  result.b = extractor.extract(image_b);
  report(progress, "matches");
  result.matches = matcher.match(result.a, result.b);
  report(progress, "homography");
  result.homography = homography_of(result, robust);
  result.doubts = doubts_of(result.homography, point_pairs(result.a, result.b, result.matches),
                            {image_a.width, image_a.height}, {image_b.width, image_b.height}, robust);
  return result;
}

}  // namespace octavo
