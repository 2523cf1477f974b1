#pragma once

#include <opencv2/core.hpp>

namespace octavo::evaluation {

/// An image seen from another viewpoint, and the homography to it.
struct View {
  cv::Mat image;
  cv::Matx33d b_from_a;
};

/// The image, changed by a homography of offsets from its centre, as study/evaluate/distortion.h describes it for
/// `distort`. Throws Error(invalid_argument) if a side of the result has less than 16 pixels, or a side of the image
/// more than 32766.
View change_view(const cv::Mat& image, const cv::Matx33d& about_centre);

}  // namespace octavo::evaluation
