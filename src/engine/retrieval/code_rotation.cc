#include "engine/retrieval/code_rotation.h"

namespace octavo {

namespace {

// Signs that look random: the first 64 bits of the fraction of π.
constexpr std::uint64_t signs = 0x243f6a8885a308d3u;

}  // namespace

int rotation_sign(std::size_t j) { return (signs >> j & 1) != 0 ? -1 : 1; }

DescriptorHalves halves_of(std::span<const std::uint8_t, descriptor_length> descriptor) {
  DescriptorHalves halves;
  for (std::size_t j = 0; j < halves[0].size(); ++j) {
    halves[0][j] = descriptor[j];
    halves[1][j] = descriptor[mirrored_index(j)];
  }
  return halves;
}

RotatedDescriptor rotate(const DescriptorHalves& halves) {
  RotatedDescriptor y;
  for (std::size_t j = 0; j < halves[0].size(); ++j) {
    y[2 * j] = rotation_sign(j) * halves[0][j];
    y[2 * j + 1] = rotation_sign(j) * halves[1][j];
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
