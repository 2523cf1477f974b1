// The covariance of the eight parameters of a homography follows from its inliers' places and residuals, by linear
// propagation of errors (Hartley & Zisserman, Multiple View Geometry, 2nd ed., §5.2). From it follows that of the place
// to which a point maps. It is large where the inliers are far away, few, or nearly on a line.

#include "multiview/geometry/homography_covariance.h"

#include <algorithm>

#include "multiview/geometry/visible_part.h"

namespace octavo::planes {
namespace {

cv::Point2d mean_of(std::span<const cv::Point2d> points) {
  cv::Point2d sum;
  for (const cv::Point2d& point : points) sum += point;
  return sum / std::max(1.0, static_cast<double>(points.size()));
}

// The derivatives of the place in B by the first eight entries of a homography with h(2, 2) = 1.
cv::Matx<double, 2, 8> jacobian(const cv::Matx33d& h, const cv::Point2d& a) {
  const auto [q, w] = mapped(h, a);
  const double x = a.x / w, y = a.y / w;
  return {x, y, 1 / w, 0, 0, 0, -q.x * x, -q.x * y, 0, 0, 0, x, y, 1 / w, -q.y * x, -q.y * y};
}

}  // namespace

// The coordinates of A are moved and scaled, so that the normal matrix can be inverted, and h(2, 2) is not near 0.
HomographyCovariance::HomographyCovariance(const cv::Matx33d& b_from_a, std::span<const cv::Point2d> a,
                                           std::span<const cv::Point2d> b, double unit, double least_deviation)
    : middle_(mean_of(a)), unit_(unit) {
  local_ = b_from_a * cv::Matx33d(unit, 0, middle_.x, 0, unit, middle_.y, 0, 0, 1);
  local_ *= 1 / local_(2, 2);
  cv::Matx<double, 8, 8> normal = cv::Matx<double, 8, 8>::zeros();
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const cv::Point2d at = (a[i] - middle_) / unit_;
    const cv::Matx<double, 2, 8> j = jacobian(local_, at);
    normal += j.t() * j;
    const cv::Point2d residual = mapped(local_, at).place - b[i];
    squares += residual.dot(residual);
  }
  const double equations = 2.0 * static_cast<double>(a.size());
  const double variance = std::max(least_deviation * least_deviation, squares / std::max(1.0, equations - 8));
  covariance_ = variance * normal.inv(cv::DECOMP_SVD);
}

cv::Matx22d HomographyCovariance::at(const cv::Point2d& a) const {
  const cv::Matx<double, 2, 8> j = jacobian(local_, (a - middle_) / unit_);
  return j * covariance_ * j.t();
}

}  // namespace octavo::planes
