#include <cstdlib>

#include "engine/core/aligned_memory.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace octavo {

void* take_aligned(std::size_t alignment, std::size_t bytes) {
  void* const memory = std::aligned_alloc(alignment, bytes);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  if (memory != nullptr && alignment == huge_page) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
  return memory;
}

void release_aligned(void* memory) { std::free(memory); }

}  // namespace octavo
