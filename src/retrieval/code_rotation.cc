#include "retrieval/code_rotation.h"

#include <cstddef>

namespace octavo {

namespace {

// Signs that look random: the first 128 bits of the fraction of π.
constexpr std::array<std::uint64_t, 2> signs{0x243f6a8885a308d3u, 0x13198a2e03707344u};

}  // namespace

RotatedDescriptor rotate(std::span<const std::uint8_t, descriptor_length> descriptor) {
  RotatedDescriptor y;
  for (std::size_t j = 0; j < y.size(); ++j) {
    y[j] = (signs[j / 64] >> (j % 64) & 1) != 0 ? -descriptor[j] : descriptor[j];
  }
  for (std::size_t step = 1; step < y.size(); step *= 2) {
    for (std::size_t block = 0; block < y.size(); block += 2 * step) {
      for (std::size_t j = block; j < block + step; ++j) {
        const std::int32_t a = y[j], b = y[j + step];
        y[j] = a + b;
        y[j + step] = a - b;
      }
    }
  }
  return y;
}

}  // namespace octavo
