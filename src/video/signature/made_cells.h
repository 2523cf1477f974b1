// The cells of made frames, for tests.

#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "video/signature/frame_cells.h"

namespace octavo {

/// Of a grid with 16 cells a block.
constexpr std::size_t made_cell_count = 16 * CellGrid::block_count;

inline std::vector<std::size_t> blocks_of_cells() {
  std::vector<std::size_t> blocks(made_cell_count);
  for (std::size_t p = 0; p < blocks.size(); ++p) blocks[p] = p / 16;
  return blocks;
}

/// What a still camera sees: an image, a tenth of which changes. [grey value]
inline std::vector<float> seen_at(double seconds) {
  std::vector<float> values(made_cell_count);
  for (std::size_t p = 0; p < values.size(); ++p) {
    const auto place = static_cast<double>(p);
    values[p] = static_cast<float>(128 + 60 * std::sin(1.7 * place));
    if (p % 10 == 0) values[p] += static_cast<float>(20 * std::sin(3 * seconds + place));
  }
  return values;
}

}  // namespace octavo
