#pragma once

#include <cstddef>
#include <opencv2/core.hpp>
#include <vector>

#include "multiview/mosaic/details.h"

namespace octavo::mosaic {

/// Which of so many images have no colours: the channels of each pixel of their parts are equal.
std::vector<bool> neutral_images(const std::vector<MosaicPlan::Details::Part>& parts, std::size_t images);

/// What two images show of one point.
struct TwoColours {
  cv::Vec3f in_a, in_b;
};

/// The same as greys where one of the images is neutral and the other is not.
TwoColours comparable(const TwoColours& seen, bool is_a_neutral, bool is_b_neutral);

}  // namespace octavo::mosaic
