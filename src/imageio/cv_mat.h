#pragma once

// Between Octavo's images and OpenCV's matrices, for the files that let OpenCV encode, draw and warp. Matrices hold
// red, green, blue in this order; only imdecode and imencode want it the other way round.

#include <opencv2/core.hpp>

#include "octavo/image.h"

namespace octavo::imageio {

/// A copy. Throws Error(invalid_argument) if the view has no pixels, a channel count outside 1…4, or overlapping rows.
cv::Mat to_mat(const ImageView& image);

/// A copy of a matrix of 1…4 channels of 8 or 16 bits without sign, or of float.
Image to_image(const cv::Mat& matrix);

/// A copy as a screen shows it: 8 bits, three channels, no alpha. Throws as to_mat.
cv::Mat to_display(const ImageView& image);

}  // namespace octavo::imageio
