#pragma once

#include <opencv2/core.hpp>
#include <span>

namespace octavo::planes {

/// How well a homography is known that was fitted to pairs of points.
class HomographyCovariance {
 public:
  /// The pairs are its inliers, more than four; `unit` is about the size of what they lie in. The residuals tell how
  /// exact the places in B are, but not less than `least_deviation`. Both are in the units of the points.
  HomographyCovariance(const cv::Matx33d& b_from_a, std::span<const cv::Point2d> a, std::span<const cv::Point2d> b,
                       double unit, double least_deviation);

  /// The covariance matrix of the place in B to which a point of A maps.
  [[nodiscard]] cv::Matx22d at(const cv::Point2d& a) const;

 private:
  cv::Matx33d local_;  // of coordinates around the middle of the inliers, in units
  cv::Point2d middle_;
  double unit_;
  cv::Matx<double, 8, 8> covariance_;
};

}  // namespace octavo::planes
