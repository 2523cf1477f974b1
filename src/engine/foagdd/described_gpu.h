// Described corners on a GPU, without the host in between. FOAGDD's kernels find corners. SIFT's kernels orient, order,
// select and describe them in a Gaussian image, which is smoothed concurrently.

#pragma once

#include <memory>

#include "engine/device/gpu.h"
#include "engine/device/gpu_job.h"
#include "octavo/foagdd.h"

namespace octavo {

/// The results of this work are features in canonical order: a list of Keypoints and a list of descriptors of 128
/// bytes.
std::unique_ptr<GpuWork> make_described_corners_gpu(const FoagddOptions& options, const std::shared_ptr<Gpu>& gpu);

}  // namespace octavo
