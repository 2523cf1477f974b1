// Memory that grows with what it is needed for and is kept in between: drivers stop the whole device to free it.

#pragma once

#include <cstddef>
#include <memory>

#include "device/gpu.h"

namespace octavo {

/// Room for at least `bytes`, kept if it is there already; what was in it is lost. It grows in steps of so many bytes,
/// for what grows slowly. Throws Error(out_of_memory), and then there is none.
inline void make_room(Gpu& gpu, std::unique_ptr<GpuBuffer>& buffer, std::size_t bytes, std::size_t step = 1) {
  if (buffer && buffer->bytes() >= bytes) return;
  buffer.reset();
  buffer = gpu.allocate((bytes + step - 1) / step * step);
}

/// The same, and new memory begins all 0: for what is read in whole tiles, or fetched in whole rows, of which not every
/// place is written.
inline void make_cleared_room(Gpu& gpu, GpuQueue& queue, std::unique_ptr<GpuBuffer>& buffer, std::size_t bytes) {
  if (buffer && buffer->bytes() >= bytes) return;
  make_room(gpu, buffer, bytes);
  queue.clear(*buffer, 0, buffer->bytes());
}

/// The same as make_room in the host's memory.
inline void make_room(Gpu& gpu, std::unique_ptr<GpuPinned>& pinned, std::size_t bytes, std::size_t step = 1) {
  if (pinned && pinned->bytes() >= bytes) return;
  pinned.reset();
  pinned = gpu.allocate_pinned((bytes + step - 1) / step * step);
}

}  // namespace octavo
