#include "engine/device/gpu_buffer_pool.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "octavo/error.h"

namespace octavo {

// The buffers that are not in use.
class GpuBufferPool::Shelf {
 public:
  Shelf() { buffers_.reserve(most_buffers); }  // putting a buffer back must not fail

  // The smallest buffer that is large enough. Null if there is none, or if it is so large that it is better kept.
  std::unique_ptr<GpuBuffer> find(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    auto best = buffers_.end();
    for (auto one = buffers_.begin(); one != buffers_.end(); ++one) {
      const std::size_t size = (*one)->bytes();
      if (size < bytes || size / 4 > bytes + step) continue;
      if (best == buffers_.end() || size < (*best)->bytes()) best = one;
    }
    if (best == buffers_.end()) return nullptr;
    std::unique_ptr<GpuBuffer> buffer = std::move(*best);
    buffers_.erase(best);
    return buffer;
  }

  // Drops the buffer that was put here first if the shelf is full.
  void put(std::unique_ptr<GpuBuffer> buffer) {
    std::unique_ptr<GpuBuffer> oldest;  // freed after the lock is released
    const std::lock_guard lock(mutex_);
    if (buffers_.size() == most_buffers) {
      oldest = std::move(buffers_.front());
      buffers_.erase(buffers_.begin());
    }
    buffers_.push_back(std::move(buffer));
  }

  void clear() {
    const std::lock_guard lock(mutex_);
    buffers_.clear();
  }

  static constexpr std::size_t step = std::size_t{256} << 10;

 private:
  static constexpr std::size_t most_buffers = 16;

  std::mutex mutex_;
  std::vector<std::unique_ptr<GpuBuffer>> buffers_;
};

GpuBufferPool::GpuBufferPool(std::shared_ptr<Gpu> gpu) : gpu_(std::move(gpu)), shelf_(std::make_shared<Shelf>()) {}

std::shared_ptr<GpuBuffer> GpuBufferPool::take(std::size_t bytes) {
  std::unique_ptr<GpuBuffer> buffer = shelf_->find(bytes);
  if (!buffer) {
    // Sizes are rounded up to steps, so that images with slightly different numbers of features can share buffers.
    const std::size_t generous = (bytes / Shelf::step + 1) * Shelf::step;
    try {
      buffer = gpu_->allocate(generous);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::out_of_memory) throw;
      shelf_->clear();
      buffer = gpu_->allocate(bytes);
    }
  }
  const auto give_back = [shelf = std::weak_ptr(shelf_)](GpuBuffer* used) {
    std::unique_ptr<GpuBuffer> owned(used);
    if (const std::shared_ptr<Shelf> there = shelf.lock()) there->put(std::move(owned));
  };
  return {buffer.release(), give_back};
}

void GpuBufferPool::clear() { shelf_->clear(); }

}  // namespace octavo
