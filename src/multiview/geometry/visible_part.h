#pragma once

#include <array>
#include <opencv2/core.hpp>
#include <vector>

namespace octavo::planes {

/// A convex polygon in A's plane [pixel].
using Polygon = std::vector<cv::Point2d>;

/// The homography with its sign chosen so that w > 0 at this point of A's plane.
cv::Matx33d oriented(const std::array<double, 9>& b_from_a, cv::Point2d in_front);

/// The centre of an image whose first pixel has its centre at (0, 0).
cv::Point2d centre(cv::Size size);

/// The part of a frame of A's plane where an image of size `b` is visible. `h` is oriented.
Polygon visible_part(const cv::Matx33d& h, cv::Size b, const cv::Rect& frame);

/// The part of the polygon where n·(x, y, 1) ≥ 0.
Polygon clip(const Polygon& polygon, const cv::Matx13d& n);

/// The place in B of a point of A in front of the camera, and w there.
struct Mapped {
  cv::Point2d place;
  double w = 0;
};
Mapped mapped(const cv::Matx33d& h, const cv::Point2d& a);

/// ∂(h·p)/∂p at a point.
cv::Matx22d local_affinity(const cv::Matx33d& h, const cv::Point2d& p);

/// The similarity that moves the points' mean to 0 and their mean distance from it to √2 (Hartley, PAMI 19(6), 1997).
cv::Matx33d normalising(const std::vector<cv::Point2d>& points);

/// [pixel²]
double area_of(const Polygon& polygon);

/// The mean of the corners.
cv::Point2d middle_of(const Polygon& polygon);

}  // namespace octavo::planes
