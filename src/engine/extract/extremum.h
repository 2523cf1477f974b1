// A point of the scale space where the difference of Gaussians is extreme, refined to sub-pixel accuracy.

#pragma once

#include <cstdint>
#include <tuple>

namespace octavo {

/// In pixels of its octave. Grid position plus offset is the extremum of the fitted quadratic.
struct Extremum {
  std::int32_t layer = 0;  ///< 1…S
  std::int32_t row = 0;
  std::int32_t column = 0;
  float layer_offset = 0;  ///< each in (−0.5, 0.5)
  float row_offset = 0;
  float column_offset = 0;
  float value = 0;  ///< D(x̂)

  friend bool operator==(const Extremum&, const Extremum&) = default;
  /// Order by grid position, which is unique once duplicates are removed: it determines all other members.
  friend bool operator<(const Extremum& a, const Extremum& b) {
    return std::tie(a.layer, a.row, a.column) < std::tie(b.layer, b.row, b.column);
  }
};

}  // namespace octavo
