// Times a GPU's work on an image that is already in its memory, up to results in its memory.

#pragma once

#include <memory>
#include <vector>

#include "engine/device/gpu.h"
#include "engine/device/gpu_job.h"
#include "octavo/image_view.h"
#include "octavo/sift_options.h"

namespace octavo::bench {

/// The times of the recorded work, as replay_times() gives them; empty if the image is too small for the work.
std::vector<double> device_times(GpuWork& work, const ImageView& image, int rounds);
/// The times of SIFT's work up to features in the GPU's memory, without the download of their number.
std::vector<double> device_times(const std::shared_ptr<Gpu>& gpu, const SiftOptions& options, const ImageView& image,
                                 int rounds);

}  // namespace octavo::bench
