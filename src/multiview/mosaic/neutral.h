#pragma once

#include <opencv2/core.hpp>

namespace octavo::mosaic {

/// Whether an image (CV_32FC3) has no colours: the channels of each pixel are equal.
bool is_neutral(const cv::Mat& colours);

/// What two images show of one point.
struct TwoColours {
  cv::Vec3f in_a, in_b;
};

/// The same as greys where one of the images is neutral and the other is not.
TwoColours comparable(const TwoColours& seen, bool is_a_neutral, bool is_b_neutral);

}  // namespace octavo::mosaic
