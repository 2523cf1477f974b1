#pragma once

// Which pairs of frames stand out among the other pairs of both frames.

#include <cstddef>
#include <span>
#include <vector>

namespace octavo {

/// How much each similarity exceeds the median of its row and that of its column; 0 where it does not exceed both. Of
/// an even count the lower one of the two in the middle is the median. `similarity` has rows × columns numbers, row by
/// row, and so has the result.
std::vector<float> contrast_of(std::span<const float> similarity, std::size_t rows, std::size_t columns);

}  // namespace octavo
