// Chooses the contrast threshold by which an image has a wanted number of keypoints.

#pragma once

#include <optional>

#include "octavo/image_view.h"
#include "octavo/sift_options.h"

namespace octavo::bench {

/// The contrast threshold with which the image has about `keypoints` keypoints; nullopt if every threshold gives
/// fewer.
std::optional<double> contrast_threshold_for(std::size_t keypoints, const ImageView& image, SiftOptions options);

}  // namespace octavo::bench
