// Buffers of a GPU that come and go with every image. Drivers stop the whole device to free memory, so what is given
// back is kept for the next who asks.

#pragma once

#include <cstddef>
#include <memory>

#include "device/gpu.h"

namespace octavo {

/// Threads may share it.
class GpuBufferPool {
 public:
  explicit GpuBufferPool(std::shared_ptr<Gpu> gpu);

  /// A buffer of at least so many bytes. It comes back when its last owner lets go of it, on whatever thread, and may
  /// outlive the pool; whoever lets go has waited for the work on it. Throws Error(out_of_memory).
  std::shared_ptr<GpuBuffer> take(std::size_t bytes);

  /// Frees the buffers that nobody uses.
  void clear();

 private:
  class Shelf;
  std::shared_ptr<Gpu> gpu_;
  std::shared_ptr<Shelf> shelf_;
};

}  // namespace octavo
