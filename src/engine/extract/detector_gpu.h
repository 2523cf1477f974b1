// A detector on a GPU, for any algorithm: a GpuJob makes features in host memory or on the device.

#pragma once

#include <memory>

#include "engine/device/gpu_job.h"
#include "engine/extract/detector.h"

namespace octavo {

/// The results of `work` are features: its lists are Keypoints in canonical order and as many descriptors of 128 bytes.
std::unique_ptr<Detector> make_gpu_detector(std::unique_ptr<GpuWork> work, GpuShare share);

}  // namespace octavo
