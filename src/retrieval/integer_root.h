#pragma once

#include <cmath>
#include <cstdint>

namespace octavo {

/// ⌊√x⌋ for x < 2^62. The root in double precision is only a first guess, so its rounding does not matter.
inline std::uint64_t integer_root(std::uint64_t x) {
  auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(x)));
  while (root * root > x) --root;
  while ((root + 1) * (root + 1) <= x) ++root;
  return root;
}

}  // namespace octavo
