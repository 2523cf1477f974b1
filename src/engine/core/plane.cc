// Planes are large and live long. They ask for whole huge pages, since page faults cost more than the arithmetic.

#include "engine/core/plane.h"

#include <cstring>
#include <string>

#include "engine/core/aligned_memory.h"
#include "octavo/error.h"

namespace octavo {

namespace {
constexpr std::size_t cache_line = 64;

// An odd number of cache lines. Otherwise the rows of a window, or of a filter's column, share few sets of the cache:
// with 1280 floats, a quarter of them, which hold 32 rows instead of 128, and windows evict themselves.
std::ptrdiff_t stride_of(int width) { return ((static_cast<std::ptrdiff_t>(width) + 15) / 16 | 1) * 16; }

std::size_t floats_of(int width, int height) {
  return static_cast<std::size_t>(stride_of(width)) * static_cast<std::size_t>(height) + plane_slack;
}

std::size_t alignment_of(std::size_t floats) { return floats * sizeof(float) >= huge_page ? huge_page : cache_line; }

std::size_t bytes_of_floats(std::size_t floats) {
  const std::size_t alignment = alignment_of(floats);
  return (floats * sizeof(float) + alignment - 1) / alignment * alignment;
}

}  // namespace

void Plane::Free::operator()(float* p) const { release_aligned(p); }

std::size_t Plane::bytes_of(int width, int height) { return bytes_of_floats(floats_of(width, height)); }

void Plane::resize(int width, int height, int first_row, int rows) {
  const std::size_t needed = floats_of(width, rows);
  if (needed > capacity_) {
    data_.reset();
    capacity_ = 0;
    width_ = height_ = first_row_ = 0;
    const std::size_t alignment = alignment_of(needed), bytes = bytes_of_floats(needed);
    void* memory = take_aligned(alignment, bytes);
    if (memory == nullptr) {
      throw Error(ErrorCode::out_of_memory, "no memory for a plane of " + std::to_string(width) + "×" +
                                                std::to_string(rows) + " floats, " + std::to_string(bytes) + " bytes");
    }
    data_.reset(static_cast<float*>(memory));
    capacity_ = bytes / sizeof(float);
  }
  width_ = width;
  height_ = height;
  first_row_ = first_row;
  stride_ = stride_of(width);
}

void Plane::slide(int first_row, int end_row) {
  if (end_row > first_row) {
    std::memmove(data_.get(), row(first_row),
                 static_cast<std::size_t>((end_row - first_row) * stride_) * sizeof(float));
  }
  first_row_ = first_row;
}

}  // namespace octavo
