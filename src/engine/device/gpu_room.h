// Memory that grows with the need and is kept between uses, because drivers stop the whole device to free memory.

#pragma once

#include <cstddef>
#include <memory>

#include "engine/device/gpu.h"

namespace octavo {

/// Makes room for at least `bytes`, and keeps a buffer that is large enough. The previous content is lost. The size is
/// a multiple of `step`, for needs that grow slowly. Throws Error(out_of_memory) and leaves no buffer.
inline void make_room(Gpu& gpu, std::unique_ptr<GpuBuffer>& buffer, std::size_t bytes, std::size_t step = 1) {
  if (buffer && buffer->bytes() >= bytes) return;
  buffer.reset();
  buffer = gpu.allocate((bytes + step - 1) / step * step);
}

/// Makes room as make_room does; new memory begins all 0. For buffers that are read in whole tiles or downloaded in
/// whole rows although not every place is written.
inline void make_cleared_room(Gpu& gpu, GpuQueue& queue, std::unique_ptr<GpuBuffer>& buffer, std::size_t bytes) {
  if (buffer && buffer->bytes() >= bytes) return;
  make_room(gpu, buffer, bytes);
  queue.clear(*buffer, 0, buffer->bytes());
}

/// Makes room in pinned host memory, as make_room does on the device.
inline void make_room(Gpu& gpu, std::unique_ptr<GpuPinned>& pinned, std::size_t bytes, std::size_t step = 1) {
  if (pinned && pinned->bytes() >= bytes) return;
  pinned.reset();
  pinned = gpu.allocate_pinned((bytes + step - 1) / step * step);
}

}  // namespace octavo
