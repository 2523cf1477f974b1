#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "multiview/mosaic/frames.h"

namespace octavo::mosaic {

/// The rotation of a turning camera's frame (x to the right, y down, z forward) that makes the horizon straight, and
/// puts the middle of what the placed images show in front. The frames are those of the model `rotation`.
cv::Matx33d upright(const Frames& frames, const std::vector<ImageSize>& sizes, const std::vector<std::size_t>& placed);

}  // namespace octavo::mosaic
