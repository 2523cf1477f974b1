#pragma once

#include <array>
#include <opencv2/core.hpp>

namespace octavo::warping {

/// Throws Error(invalid_argument) if a side is longer than OpenCV can warp, or the homography is not finite.
void check(cv::Size a, cv::Size b, const std::array<double, 9>& b_from_a);

/// The frame, in A's pixels, that holds A and what is seen of B; bounded as octavo/align.h says of `blend`.
cv::Rect common_frame(cv::Size a, cv::Size b, const std::array<double, 9>& b_from_a);

/// B as it appears in a frame of A's plane.
struct Warped {
  cv::Mat pixels;    ///< 8-bit RGB, times coverage / 255
  cv::Mat coverage;  ///< 8 bit: 255 where B is, 0 where it is not, between at its edges
};

/// `a` is A's size: its centre is taken to lie in front of the camera, and decides which side of the horizon is seen.
Warped warp(const cv::Mat& image_b, cv::Size a, const std::array<double, 9>& b_from_a, cv::Rect frame);

}  // namespace octavo::warping
