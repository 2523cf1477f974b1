// Orientations and descriptors on the CPU: windows of pixels around keypoints, a vector of pixels at a time.

#pragma once

#include <cstdint>

#include "core/plane.h"
#include "device/cpu_isa.h"
#include "sift/descriptor.h"
#include "sift/orientation.h"
#include "sift/oriented.h"

namespace octavo {

/// As reference::orientation_histogram.
OrientationHistogram orientation_histogram_cpu(const Isa& isa, const Plane& level, const Extremum& e, float scale);

/// As reference::descriptor_histogram.
DescriptorHistogram descriptor_histogram_cpu(const Isa& isa, const Plane& level, const Oriented& keypoint);

}  // namespace octavo
