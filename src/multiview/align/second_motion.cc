#include "multiview/align/second_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>
#include <set>
#include <tuple>
#include <vector>

#include "multiview/align/seen_parallax.h"
#include "multiview/geometry/visible_part.h"

namespace octavo {

namespace {

// The pairs that the homography puts farther than this from their partners, each once.
PointPairs far_off(const RobustModel& homography, const PointPairs& pairs, double least) {
  const cv::Matx33d h(homography.b_from_a.data());
  PointPairs kept;
  std::set<std::tuple<double, double, double, double>> known;
  for (std::size_t i = 0; i < pairs.a.size(); ++i) {
    const Point &a = pairs.a[i], &b = pairs.b[i];
    const cv::Point2d place = planes::mapped(h, {a.x, a.y}).place;
    if (!(std::hypot(place.x - b.x, place.y - b.y) > least) || !known.emplace(a.x, a.y, b.x, b.y).second) continue;
    kept.a.push_back(a);
    kept.b.push_back(b);
  }
  return kept;
}

}  // namespace

int second_motion(const RobustModel& homography, const PointPairs& pairs, const ImageView& image_a,
                  const ImageView& image_b, const RobustOptions& robust) {
  constexpr double far = 5;  // [threshold] less is the bend of a plane, or a small step of the camera; a guess
  const PointPairs others = far_off(homography, pairs, far * robust.threshold);
  const double needed = 8 + 0.1 * static_cast<double>(pairs.a.size());  // as for parallax
  if (static_cast<double>(others.a.size()) <= needed) return 0;
  RobustOptions options = robust;
  // PROSAC would take the first pairs for the best.
  if (options.method == RobustOptions::Method::prosac) options.method = RobustOptions::Method::ransac;
  const RobustModel second = estimate_homography(others.a, others.b, options);
  if (second.inlier_count <= needed) return 0;
  std::vector<Point> agreeing;
  for (std::size_t i = 0; i < others.a.size(); ++i) {
    if (second.inliers[i] != 0) agreeing.push_back(others.a[i]);
  }
  const cv::Matx33d h(homography.b_from_a.data());
  const int alike = places_shown_alike(agreeing, h, image_a, image_b, robust.threshold);
  return second.inlier_count - alike > needed ? second.inlier_count : 0;
}

void warn_of_second_motion(std::vector<AlignmentWarning>& warnings, const RobustModel& homography,
                           const PointPairs& pairs, const ImageView& image_a, const ImageView& image_b,
                           const RobustOptions& robust) {
  using Kind = AlignmentWarning::Kind;
  if (!homography.found || std::ranges::any_of(warnings, [](const auto& one) { return one.kind == Kind::parallax; })) {
    return;
  }
  const int second = second_motion(homography, pairs, image_a, image_b, robust);
  if (second == 0) return;
  warnings.push_back({Kind::second_motion,
                      fmt::format("{} other matches agree with a second homography: something moved, or the scene has "
                                  "several planes",
                                  second)});
}

}  // namespace octavo
