// Orientations, shapes and descriptors on the CPU: windows of pixels around keypoints, a vector of pixels at a time.
// Each job has its file: orientation_cpu.cc, affine_cpu.cc, descriptor_cpu.cc, finish_cpu.cc.

#pragma once

#include <cstdint>
#include <utility>

#include "engine/core/plane.h"
#include "engine/device/cpu_isa.h"
#include "engine/extract/oriented.h"
#include "engine/sift/affine.h"
#include "engine/sift/descriptor.h"
#include "engine/sift/orientation.h"
#include "engine/sift/pooling.h"
#include "engine/sift/prefetch_window.h"

namespace octavo {

/// Holds the pixels of a window. Each thread has one.
class WindowsCpu {
 public:
  explicit WindowsCpu(Isa isa) : isa_(std::move(isa)) {}

  /// Computes reference::orientation_histogram. Meanwhile it fetches rows of the next window, here and below.
  OrientationHistogram orientation_histogram(const Plane& level, const Extremum& e, float scale, WindowPrefetch& next);

  /// Computes reference::add_votes.
  void add_votes(const Plane& level, const WindowFrame& window, WindowPrefetch& next, OrientationHistogram& votes);

  /// Computes reference::second_moments.
  Moments second_moments(const Plane& level, const ShapeWindow& window, const Shape& shape) const;

  /// Computes reference::descriptor_histogram.
  DescriptorHistogram descriptor_histogram(const Plane& level, const Oriented& keypoint, WindowPrefetch& next);

  /// Computes reference::descriptor_histogram of a window of any size.
  DescriptorHistogram descriptor_histogram(const Plane& level, const WindowFrame& window, WindowPrefetch& next);

  /// Computes reference::finish_descriptor.
  void finish_descriptor(const DescriptorHistogram& histogram, DescriptorKind kind, std::uint8_t* out) const;

  /// Computes reference::finish_pooled.
  void finish_pooled(const PooledBytes& sums, DescriptorKind kind, std::uint8_t* out) const;

 private:
  Isa isa_;
  Plane pixels_;
};

}  // namespace octavo
