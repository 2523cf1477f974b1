#pragma once

#include <opencv2/core.hpp>

namespace octavo::evaluation {

/// An image seen from elsewhere.
struct View {
  cv::Mat image;
  cv::Matx33d b_from_a;
};

/// The image seen through a homography of offsets from its centre, as octavo/distortion.h says of `distort`. Throws
/// Error(invalid_argument) where less than 16 pixels of a side would be left, or one has more than 32766.
View change_view(const cv::Mat& image, const cv::Matx33d& about_centre);

}  // namespace octavo::evaluation
