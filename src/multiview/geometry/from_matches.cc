// Models from matched keypoints. PROSAC first draws from the first pairs, so for it the pairs with the closest
// descriptors come first. The inliers are given in the order of the matches.

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "octavo/multiview/geometry.h"

namespace octavo {

namespace {

template <class Estimate>
auto in_best_order(const Features& a, const Features& b, std::span<const Match> matches, const RobustOptions& options,
                   const Estimate& estimate) {
  std::vector<std::size_t> order(matches.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (options.method == RobustOptions::Method::prosac) {
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t i, std::size_t j) { return matches[i].distance2 < matches[j].distance2; });
  }
  std::vector<Match> ordered;
  for (const std::size_t i : order) ordered.push_back(matches[i]);
  const PointPairs pairs = point_pairs(a, b, ordered);
  auto model = estimate(pairs);
  const std::vector<std::uint8_t> inliers = model.inliers;
  for (std::size_t k = 0; k < inliers.size(); ++k) model.inliers[order[k]] = inliers[k];
  return model;
}

}  // namespace

RobustModel estimate_homography(const Features& a, const Features& b, std::span<const Match> matches,
                                const RobustOptions& options) {
  return in_best_order(a, b, matches, options,
                       [&](const PointPairs& pairs) { return estimate_homography(pairs.a, pairs.b, options); });
}

RobustModel estimate_fundamental(const Features& a, const Features& b, std::span<const Match> matches,
                                 const RobustOptions& options) {
  return in_best_order(a, b, matches, options,
                       [&](const PointPairs& pairs) { return estimate_fundamental(pairs.a, pairs.b, options); });
}

EssentialModel estimate_essential(const Features& a, const Features& b, std::span<const Match> matches,
                                  const Camera& camera_a, const Camera& camera_b, const RobustOptions& options) {
  return in_best_order(a, b, matches, options, [&](const PointPairs& pairs) {
    return estimate_essential(pairs.a, pairs.b, camera_a, camera_b, options);
  });
}

}  // namespace octavo
