// Large pages need a right that users have not, so there are none.

#include <malloc.h>

#include "engine/core/aligned_memory.h"

namespace octavo {

void* take_aligned(std::size_t alignment, std::size_t bytes) { return _aligned_malloc(bytes, alignment); }

void release_aligned(void* memory) { _aligned_free(memory); }

}  // namespace octavo
