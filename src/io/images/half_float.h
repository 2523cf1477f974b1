#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace octavo::io {

/// The half float at this address: IEEE 754's binary16, a sign, five bits of exponent, ten of fraction.
inline double half_at(const std::byte* at) {
  std::uint16_t bits;
  std::memcpy(&bits, at, sizeof(bits));
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value = std::ldexp(exponent > 0 ? 1024 + fraction : fraction, std::max(exponent, 1) - 25);
  if (exponent == 31) {
    value = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  }
  return bits >> 15 ? -value : value;
}

}  // namespace octavo::io
