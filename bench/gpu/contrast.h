// The same picture with more keypoints or fewer.

#pragma once

#include <optional>

#include "octavo/image.h"
#include "octavo/sift_options.h"

namespace octavo::bench {

/// The contrast threshold with which the picture has about so many keypoints; none where it has fewer with any.
std::optional<double> contrast_threshold_for(std::size_t keypoints, const ImageView& image, SiftOptions options);

}  // namespace octavo::bench
