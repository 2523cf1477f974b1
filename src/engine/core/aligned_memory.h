// Memory of the system for arrays that are large and live long.

#pragma once

#include <cstddef>

namespace octavo {

inline constexpr std::size_t huge_page = std::size_t{2} << 20;  ///< [byte]

/// Memory at a multiple of `alignment`, a power of two, of `bytes`, a multiple of it; null if there is none. What is
/// aligned to huge pages consists of them where the system can do that.
void* take_aligned(std::size_t alignment, std::size_t bytes);

/// Gives back what take_aligned returned, or null.
void release_aligned(void* memory);

}  // namespace octavo
