#pragma once

// Images for tests of jobs.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "octavo/image.h"

namespace octavo {

/// Squares, at other places for another seed.
inline Image made_image(std::uint32_t seed) {
  Image image(96, 96, 1, PixelType::u8);
  for (int y = 0; y < 96; ++y) std::fill_n(image.row(y), 96, std::byte{40});
  for (int i = 0; i < 9; ++i) {
    seed = seed * 1664525u + 1013904223u;
    const int x0 = 10 + static_cast<int>((seed >> 8) % 76), y0 = 10 + static_cast<int>((seed >> 20) % 76);
    for (int y = y0 - 3; y <= y0 + 3; ++y) std::fill_n(image.row(y) + x0 - 3, 7, std::byte{220});
  }
  return image;
}

}  // namespace octavo
