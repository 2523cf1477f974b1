// How long a GPU works on an image that is in its memory already, until keypoints and descriptors are there.

#pragma once

#include <memory>
#include <vector>

#include "device/gpu.h"
#include "octavo/image.h"
#include "octavo/sift_options.h"

namespace octavo::bench {

/// Milliseconds by the device's own clock, of `rounds` replays of the recorded work. They stand in the queue one behind
/// the other, so that none waits for the host, and each starts when the one before it is done.
std::vector<double> device_times(const std::shared_ptr<Gpu>& gpu, const SiftOptions& options, const ImageView& image,
                                 int rounds);

}  // namespace octavo::bench
