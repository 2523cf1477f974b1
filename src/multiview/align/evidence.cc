// The figures by which a homography is judged.
//
// Number of inliers: a pair of images is taken for right if inliers > 8 + 0.3·(matches in the overlap), after Brown &
// Lowe, "Automatic panoramic image stitching using invariant features", IJCV 74(1), 2007, eq. 13.
//
// Uncertainty: the covariance of the eight parameters follows from the inliers' places and residuals, by linear
// propagation of errors (Hartley & Zisserman, Multiple View Geometry, 2nd ed., §5.2). From it follows that of the place
// to which a point maps. It is large where the inliers are far away, few, or nearly on a line.

#include "multiview/align/evidence.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <tuple>

#include "multiview/geometry/visible_part.h"

namespace octavo {

namespace {

using planes::Polygon;

// The pairs at different places, each once, with their inlier mark.
struct DistinctPairs {
  std::vector<cv::Point2d> a, b;
  std::vector<bool> inlier;
};

DistinctPairs distinct(const PointPairs& pairs, const std::vector<std::uint8_t>& inliers) {
  DistinctPairs kept;
  std::set<std::tuple<double, double, double, double>> known;
  for (std::size_t i = 0; i < pairs.a.size(); ++i) {
    const Point &a = pairs.a[i], &b = pairs.b[i];
    if (!known.emplace(a.x, a.y, b.x, b.y).second) continue;
    kept.a.emplace_back(a.x, a.y);
    kept.b.emplace_back(b.x, b.y);
    kept.inlier.push_back(inliers[i] != 0);
  }
  return kept;
}

cv::Point2d mean_of_inliers(const DistinctPairs& pairs) {
  cv::Point2d sum;
  double count = 0;
  for (std::size_t i = 0; i < pairs.a.size(); ++i) {
    if (!pairs.inlier[i]) continue;
    sum += pairs.a[i];
    ++count;
  }
  return sum / std::max(1.0, count);
}

// The derivatives of the place in B by the first eight entries of a homography with h(2, 2) = 1.
cv::Matx<double, 2, 8> jacobian(const cv::Matx33d& h, const cv::Point2d& a) {
  const auto [q, w] = planes::mapped(h, a);
  const double x = a.x / w, y = a.y / w;
  return {x, y, 1 / w, 0, 0, 0, -q.x * x, -q.x * y, 0, 0, 0, x, y, 1 / w, -q.y * x, -q.y * y};
}

// The largest standard deviation [pixel] of a mapped corner of the polygon. The coordinates of A are moved and scaled,
// so that the normal matrix can be inverted, and h(2, 2) is not near 0.
double uncertainty(const cv::Matx33d& h, const DistinctPairs& pairs, const Polygon& polygon, double unit) {
  const cv::Point2d middle = mean_of_inliers(pairs);
  cv::Matx33d local = h * cv::Matx33d(unit, 0, middle.x, 0, unit, middle.y, 0, 0, 1);
  local *= 1 / local(2, 2);
  cv::Matx<double, 8, 8> normal = cv::Matx<double, 8, 8>::zeros();
  double squares = 0;
  int equations = 0;
  for (std::size_t i = 0; i < pairs.a.size(); ++i) {
    if (!pairs.inlier[i]) continue;
    const cv::Point2d a = (pairs.a[i] - middle) / unit;
    const cv::Matx<double, 2, 8> j = jacobian(local, a);
    normal += j.t() * j;
    const cv::Point2d residual = planes::mapped(local, a).place - pairs.b[i];
    squares += residual.dot(residual);
    equations += 2;
  }
  constexpr double least_variance = 0.01;  // [pixel²] keypoints are not more accurate than a tenth of a pixel
  const double variance = std::max(least_variance, squares / std::max(1, equations - 8));
  const cv::Matx<double, 8, 8> covariance = variance * normal.inv(cv::DECOMP_SVD);
  double largest = 0;
  for (const cv::Point2d& corner : polygon) {
    const cv::Matx<double, 2, 8> j = jacobian(local, (corner - middle) / unit);
    const cv::Matx22d c = j * covariance * j.t();
    const double half = (c(0, 0) + c(1, 1)) / 2;
    largest = std::max(largest, half + std::hypot((c(0, 0) - c(1, 1)) / 2, c(0, 1)));
  }
  return std::sqrt(largest);
}

}  // namespace

planes::Parallax parallax_within(const RobustModel& homography, const PointPairs& pairs, const RobustOptions& robust,
                                 double radius) {
  planes::Parallax parallax = planes::parallax_of(cv::Matx33d(homography.b_from_a.data()), pairs, robust);
  // The share of the disc around its place in which a wrong pair is within the threshold of a line through that place.
  const double on_a_line = std::min(1.0, 4 * robust.threshold / (std::numbers::pi * radius));
  parallax.by_chance = on_a_line * (static_cast<double>(pairs.a.size()) - homography.inlier_count);
  return parallax;
}

Evidence evidence(const RobustModel& homography, const PointPairs& pairs, cv::Size a, cv::Size b,
                  const RobustOptions& robust, double radius) {
  const DistinctPairs all = distinct(pairs, homography.inliers);
  const cv::Matx33d h = planes::oriented(homography.b_from_a, mean_of_inliers(all));
  const bool mirrors = cv::determinant(h) <= 0;
  const cv::Rect2d image_b(-0.5, -0.5, b.width, b.height);

  Evidence evidence;
  for (std::size_t i = 0; i < all.a.size(); ++i) {
    const auto [place, w] = planes::mapped(h, all.a[i]);
    const bool in_front = w > 0;
    if (all.inlier[i]) ++evidence.inliers;
    if (all.inlier[i] && (mirrors || !in_front)) ++evidence.behind;
    if (in_front && image_b.contains(place)) ++evidence.matches_in_overlap;
  }
  evidence.needed = 8 + 0.3 * evidence.matches_in_overlap;
  evidence.parallax = parallax_within(homography, pairs, robust, radius);

  const Polygon overlap = planes::visible_part(h, b, cv::Rect({0, 0}, a));
  if (mirrors || overlap.empty()) return evidence;
  evidence.uncertainty = uncertainty(h, all, overlap, std::max(a.width, a.height));
  const auto scale = [&](const cv::Point2d& p) {
    return std::sqrt(cv::determinant(h) / std::pow(planes::mapped(h, p).w, 3));
  };
  evidence.least_scale = evidence.greatest_scale = scale(overlap.front());
  for (const cv::Point2d& corner : overlap) {
    evidence.least_scale = std::min(evidence.least_scale, scale(corner));
    evidence.greatest_scale = std::max(evidence.greatest_scale, scale(corner));
  }
  return evidence;
}

}  // namespace octavo
