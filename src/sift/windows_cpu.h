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

/// Asks for the pixels around an extremum, `radius` and one more to each side, to be brought into the cache. Windows
/// lie scattered over planes far larger than it, so the next one is fetched while the present one is worked on.
void prefetch_window(const Plane& level, const Extremum& e, int radius);

/// Holds the pixels of a window; one per thread.
class WindowsCpu {
 public:
  explicit WindowsCpu(Isa isa) : isa_(std::move(isa)) {}

  /// As reference::orientation_histogram.
  OrientationHistogram orientation_histogram(const Plane& level, const Extremum& e, float scale) const;

  /// As reference::descriptor_histogram.
  DescriptorHistogram descriptor_histogram(const Plane& level, const Oriented& keypoint);

  /// As reference::finish_descriptor.
  void finish_descriptor(const DescriptorHistogram& histogram, DescriptorKind kind, std::uint8_t* out) const;

 private:
  Isa isa_;
  Plane pixels_;
};

}  // namespace octavo
