// The allowance for memory that estimates do not add up piece by piece.

#pragma once

#include <cstdint>

namespace octavo {

/// [byte] The stack of a working thread, the buffers of windows and tiles, and the allocator's own use, rounded up.
inline constexpr std::uint64_t scratch_of_thread = std::uint64_t{1} << 20;

}  // namespace octavo
