#pragma once

// The longest common subsequence of two sequences of frames whose elements are not equal but more or less similar, with
// gaps (LCSS; Vlachos, Kollios and Gunopulos 2002; for takes Bailer, Lee and Thallinger 2007).

#include <cstddef>
#include <span>
#include <vector>

namespace octavo {

/// A frame of each sequence.
struct FramePair {
  std::size_t a = 0, b = 0;
  friend bool operator==(const FramePair&, const FramePair&) = default;
};

/// The pairs of frames, ascending in both sequences, with the greatest sum of similarities. Between two pairs at most
/// `gap` frames of either sequence have no partner. `similarity` has rows × columns numbers, row by row; only pairs
/// with a positive one count. Of equal sums the one with the steadier steps counts, then the earlier one. The time is
/// rows · columns · (gap + 1)².
std::vector<FramePair> common_subsequence(std::span<const float> similarity, std::size_t rows, std::size_t columns,
                                          std::size_t gap);

}  // namespace octavo
