// How long a GPU works on an image that is in its memory already, until keypoints and descriptors are there.

#pragma once

#include <memory>
#include <vector>

#include "device/gpu.h"
#include "octavo/image.h"
#include "octavo/sift_options.h"

namespace octavo::bench {

/// As replay_times, of the recorded work.
std::vector<double> device_times(const std::shared_ptr<Gpu>& gpu, const SiftOptions& options, const ImageView& image,
                                 int rounds);

}  // namespace octavo::bench
