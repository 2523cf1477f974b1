// Features in the memory of a GPU after an extraction.

#pragma once

#include <cstddef>
#include <memory>

#include "engine/device/gpu.h"
#include "octavo/keypoint.h"

namespace octavo {

/// All work on them is done, and nothing writes to them any more.
struct FeaturesOnGpu {
  std::shared_ptr<Gpu> gpu;
  std::size_t count = 0;
  /// `count` descriptors of 128 bytes, then `count` Keypoints. Null if there are none.
  std::shared_ptr<const GpuBuffer> buffer;

  [[nodiscard]] std::size_t descriptor_bytes() const { return count * descriptor_length; }
  [[nodiscard]] std::size_t keypoint_bytes() const { return count * sizeof(Keypoint); }
};

}  // namespace octavo
