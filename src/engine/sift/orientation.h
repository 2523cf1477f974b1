// The step from the histogram of directions to orientations, the same on every device.

#pragma once

#include <array>
#include <cstdint>

#include "engine/core/internal_api.h"

namespace OCTAVO_INTERNAL_API octavo {

inline constexpr int orientation_bins = 36;
inline constexpr float vote_unit = 1048576.0f;  ///< one vote is 2^20 units

/// Votes by direction. The last element stands for the first direction again.
using OrientationHistogram = std::array<std::uint32_t, orientation_bins + 1>;

/// Radius of the window [pixel], for σ in pixels of the octave: 3·1.5σ, rounded to the nearest.
int orientation_radius(float scale);

struct Orientations {
  int count = 0;
  std::array<float, 4> turns{};  ///< ascending, in [0, 1)
};

/// The peaks of the histogram, circularly smoothed by (1 4 6 4 1)/16 so many times, of at least 0.8 of the highest,
/// each refined by a parabola. At most the highest `most` peaks; of equal ones the smaller bin goes first.
Orientations orientations_of(const OrientationHistogram& histogram, int smoothings, int most);

}  // namespace octavo
