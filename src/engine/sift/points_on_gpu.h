// SIFT on a GPU with a budget of points. The kernels choose among keypoints, after the orientations. So the GPU finds,
// orients and describes the points stage by stage, and the host chooses between the stages.

#pragma once

#include <memory>

#include "engine/extract/detector.h"
#include "engine/sift/sift_parts.h"

namespace octavo {

/// For Budget::of_points. The work is done in `begin`.
std::unique_ptr<Detector> make_detector_of_points(const SiftParts& parts, const GpuShare& share);

}  // namespace octavo
