#pragma once

#include <array>
#include <opencv2/core.hpp>

namespace octavo::warping {

/// Throws Error(invalid_argument) if a side is longer than OpenCV can warp, or the homography is not finite.
void check(cv::Size a, cv::Size b, const std::array<double, 9>& b_from_a);

/// The frame, in A's pixels, that contains A and the visible part of B. octavo/align.h gives its limits at `blend`.
cv::Rect common_frame(cv::Size a, cv::Size b, const std::array<double, 9>& b_from_a);

/// B as it appears in a frame of A's plane.
struct Warped {
  cv::Mat pixels;    ///< 8-bit RGB, times coverage / 255
  cv::Mat coverage;  ///< 8 bit: 255 inside B, 0 outside, between them at its edges
};

/// `a` is A's size. Its centre is assumed to lie in front of the camera, which determines the visible side of the
/// horizon.
Warped warp(const cv::Mat& image_b, cv::Size a, const std::array<double, 9>& b_from_a, cv::Rect frame);

}  // namespace octavo::warping
