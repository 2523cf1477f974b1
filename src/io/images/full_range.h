#pragma once

#include <cstdint>

namespace octavo::io {

/// The sample `value` of the range 0…`largest`, scaled to 0…`full` and rounded. Both limits are at most 65535.
constexpr std::uint32_t to_full_range(std::uint32_t value, std::uint32_t largest, std::uint32_t full) {
  return (value * full + largest / 2) / largest;
}

}  // namespace octavo::io
