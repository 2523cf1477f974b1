// The figures by which a homography is judged: its inliers (inlier_count.h), how well they determine it
// (homography_covariance.h), what a moving camera explains, and its scale.

#include "multiview/align/evidence.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "multiview/geometry/homography_covariance.h"
#include "multiview/geometry/visible_part.h"

namespace octavo {

namespace {

using planes::DistinctPairs;
using planes::Polygon;

// The largest standard deviation [pixel] of a mapped corner of the polygon.
double uncertainty(const cv::Matx33d& h, const DistinctPairs& pairs, const Polygon& polygon, double unit) {
  constexpr double least_deviation = 0.1;  // [pixel] keypoints are not more accurate
  std::vector<cv::Point2d> a, b;
  for (std::size_t i = 0; i < pairs.a.size(); ++i) {
    if (!pairs.inlier[i]) continue;
    a.push_back(pairs.a[i]);
    b.push_back(pairs.b[i]);
  }
  const planes::HomographyCovariance covariance(h, a, b, unit, least_deviation);
  double largest = 0;
  for (const cv::Point2d& corner : polygon) {
    const cv::Matx22d c = covariance.at(corner);
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
  const DistinctPairs all = planes::distinct(pairs.a, pairs.b, homography.inliers);
  const cv::Matx33d h = planes::oriented(homography.b_from_a, all.middle());
  const bool mirrors = cv::determinant(h) <= 0;
  const cv::Rect2d image_b(-0.5, -0.5, b.width, b.height);

  Evidence evidence{.count = planes::count_inliers(all, h, image_b)};
  for (std::size_t i = 0; i < all.a.size(); ++i) {
    if (all.inlier[i] && (mirrors || !(planes::mapped(h, all.a[i]).w > 0))) ++evidence.behind;
  }
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
