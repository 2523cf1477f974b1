// Orientations and descriptors on the CPU: windows of pixels around keypoints, a vector of pixels at a time.

#pragma once

#include <cstdint>
#include <utility>

#include "core/plane.h"
#include "device/cpu_isa.h"
#include "sift/descriptor.h"
#include "sift/orientation.h"
#include "sift/oriented.h"

namespace octavo {

/// Holds the pixels of a window; one per thread.
class WindowsCpu {
 public:
  explicit WindowsCpu(Isa isa) : isa_(std::move(isa)) {}

  /// As reference::orientation_histogram.
  OrientationHistogram orientation_histogram(const Plane& level, const Extremum& e, float scale) const;

  /// As reference::descriptor_histogram.
  DescriptorHistogram descriptor_histogram(const Plane& level, const Oriented& keypoint);

 private:
  Isa isa_;
  Plane pixels_;
};

}  // namespace octavo
