// Features as they lie in the memory of a GPU once an extraction has left them there.

#pragma once

#include <cstddef>
#include <memory>

#include "device/gpu.h"
#include "octavo/keypoint.h"

namespace octavo {

/// All work on them is done; nothing writes them any more.
struct FeaturesOnGpu {
  std::shared_ptr<Gpu> gpu;
  std::size_t count = 0;
  /// `count` descriptors of 128 bytes, then as many Keypoints; null where there are none.
  std::shared_ptr<const GpuBuffer> buffer;

  [[nodiscard]] std::size_t descriptor_bytes() const { return count * descriptor_length; }
  [[nodiscard]] std::size_t keypoint_bytes() const { return count * sizeof(Keypoint); }
};

}  // namespace octavo
