// The figures by which a homography is judged.
//
// Number of inliers: a pair of images is taken for right if inliers > 8 + 0.3·(matches in the overlap), after Brown &
// Lowe, "Automatic panoramic image stitching using invariant features", IJCV 74(1), 2007, eq. 13.

#include "multiview/align/evidence.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <tuple>

#include "multiview/geometry/homography_covariance.h"
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
