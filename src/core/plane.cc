// Planes are large and live long. They ask for whole huge pages, since page faults cost more than the arithmetic.

#include "core/plane.h"

#include <cstdlib>
#include <string>

#include "octavo/error.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace octavo {

namespace {
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t cache_line = 64;
}  // namespace

void Plane::Free::operator()(float* p) const { std::free(p); }

void Plane::resize(int width, int height) {
  const std::ptrdiff_t stride = (static_cast<std::ptrdiff_t>(width) + 15) / 16 * 16;
  const std::size_t needed = static_cast<std::size_t>(stride) * height + plane_slack;
  if (needed > capacity_) {
    data_.reset();
    capacity_ = 0;
    width_ = height_ = 0;
    const std::size_t alignment = needed * sizeof(float) >= huge_page ? huge_page : cache_line;
    const std::size_t bytes = (needed * sizeof(float) + alignment - 1) / alignment * alignment;
    void* memory = std::aligned_alloc(alignment, bytes);
    if (memory == nullptr) {
      throw Error(ErrorCode::out_of_memory, "no memory for a plane of " + std::to_string(width) + "×" +
                                                std::to_string(height) + " floats, " + std::to_string(bytes) +
                                                " bytes");
    }
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (alignment == huge_page) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    data_.reset(static_cast<float*>(memory));
    capacity_ = bytes / sizeof(float);
  }
  width_ = width;
  height_ = height;
  stride_ = stride;
}

}  // namespace octavo
