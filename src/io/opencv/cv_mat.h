#pragma once

// Conversions between Octavo's images and OpenCV's matrices, for the files that use OpenCV to draw, resize and warp.
// Matrices contain red, green, blue in this order.

#include <opencv2/core.hpp>

#include "octavo/image_view.h"

namespace octavo::io {

/// A copy, in the order red, green, blue. Throws Error(invalid_argument) if the view has no pixels, a channel count
/// outside 1…4, or overlapping rows.
cv::Mat to_mat(const ImageView& image);

/// The same without a copy where the order of the channels and of the rows allows: the pixels must outlive it, and are
/// not to be written.
cv::Mat as_mat(const ImageView& image);

/// The pixels of a matrix of 1…4 channels of unsigned 8 or 16 bits, or of float, which must outlive the view.
ImageView view_of(const cv::Mat& matrix);

/// A copy of such a matrix.
Image to_image(const cv::Mat& matrix);

/// A copy for display: 8 bits, three channels, no alpha. Throws the errors of to_mat.
cv::Mat to_display(const ImageView& image);

}  // namespace octavo::io
