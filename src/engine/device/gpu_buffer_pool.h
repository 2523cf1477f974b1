// Buffers of a GPU that live as long as one image. Drivers stop the whole device to free memory, so returned buffers
// are kept for the next use.

#pragma once

#include <cstddef>
#include <memory>

#include "engine/device/gpu.h"

namespace octavo {

/// Threads may share a pool.
class GpuBufferPool {
 public:
  explicit GpuBufferPool(std::shared_ptr<Gpu> gpu);

  /// Returns a buffer of at least this many bytes. The buffer returns to the pool when its last owner releases it, on
  /// any thread, and may outlive the pool. The last owner must have waited for the work on it. Throws
  /// Error(out_of_memory).
  std::shared_ptr<GpuBuffer> take(std::size_t bytes);

  /// Frees the buffers that are not in use.
  void clear();

 private:
  class Shelf;
  std::shared_ptr<Gpu> gpu_;
  std::shared_ptr<Shelf> shelf_;
};

}  // namespace octavo
