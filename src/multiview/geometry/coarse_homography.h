// Homographies of planes that the two images see from far apart. Where a pixel of A is several pixels of B long, a
// keypoint of A that is off by a pixel is off by several in B: a threshold in pixels of B then throws right pairs away,
// and the rest do not tell the homography well. Errors are told in pixels of the coarser image here, in each direction.

#pragma once

#include <opencv2/core.hpp>

#include "octavo/multiview/geometry.h"

namespace octavo {

/// From pixels of B to pixels of the image that is the coarser one in each direction, at a place of A. The identity
/// where that is B in all directions. The determinant is the area of a pixel of B.
cv::Matx22d coarse_from_b(const cv::Matx33d& b_from_a, const cv::Point2d& place);

/// [pixel of the coarser image] How far b is from where the homography puts a.
double coarse_error(const cv::Matx33d& b_from_a, const Point& a, const Point& b);

/// estimate_homography, but its threshold and its inliers are told in pixels of the coarser image. The homography is
/// fitted to the pairs by Tukey's biweight. `expected` is near it, `middle` of A near the middle of the pairs.
RobustModel estimate_coarse_homography(const PointPairs& pairs, const cv::Matx33d& expected, const cv::Point2d& middle,
                                       const RobustOptions& robust);

}  // namespace octavo
