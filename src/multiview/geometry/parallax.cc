#include "multiview/geometry/parallax.h"

#include <cmath>
#include <set>
#include <tuple>

#include "multiview/geometry/visible_part.h"

namespace octavo::planes {
namespace {

PointPairs distinct(const PointPairs& pairs) {
  PointPairs kept;
  std::set<std::tuple<double, double, double, double>> known;
  for (std::size_t i = 0; i < pairs.a.size(); ++i) {
    const Point &a = pairs.a[i], &b = pairs.b[i];
    if (!known.emplace(a.x, a.y, b.x, b.y).second) continue;
    kept.a.push_back(a);
    kept.b.push_back(b);
  }
  return kept;
}

}  // namespace

Parallax parallax_of(const cv::Matx33d& b_from_a, const PointPairs& all, const RobustOptions& robust) {
  const PointPairs pairs = distinct(all);
  RobustOptions options = robust;
  // PROSAC would take the first pairs for the best.
  if (options.method == RobustOptions::Method::prosac) options.method = RobustOptions::Method::ransac;
  const RobustModel fundamental = estimate_fundamental(pairs.a, pairs.b, options);
  Parallax parallax{.epipolar = fundamental.inlier_count};
  for (std::size_t i = 0; i < pairs.a.size(); ++i) {
    if (!fundamental.found || fundamental.inliers[i] == 0) continue;
    const cv::Point2d place = mapped(b_from_a, {pairs.a[i].x, pairs.a[i].y}).place;
    const double error = std::hypot(place.x - pairs.b[i].x, place.y - pairs.b[i].y);
    if (error <= 2 * robust.threshold) continue;
    ++parallax.off;
    parallax.off_in_a.push_back(pairs.a[i]);
  }
  return parallax;
}

}  // namespace octavo::planes
