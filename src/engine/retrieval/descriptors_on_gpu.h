// Descriptors in the memory of a GPU: those of an extraction, or a copy of those in host memory.

#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "engine/device/gpu.h"
#include "engine/extract/features_on_gpu.h"

namespace octavo {

/// Holds the room for uploads. Destroy it when the queue is done.
class DescriptorUpload {
 public:
  explicit DescriptorUpload(std::shared_ptr<Gpu> gpu);

  /// Enqueues the upload of at least one descriptor. The queue's earlier work is done. The result has no keypoints and
  /// is valid until the next call.
  FeaturesOnGpu operator()(GpuQueue& queue, std::span<const std::uint8_t> descriptors);

 private:
  std::shared_ptr<Gpu> gpu_;
  std::shared_ptr<GpuBuffer> buffer_;
  std::unique_ptr<GpuPinned> staging_;
};

}  // namespace octavo
