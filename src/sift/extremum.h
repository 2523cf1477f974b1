// A point of the scale space where the difference of Gaussians is extreme, refined to sub-pixel accuracy.

#pragma once

#include <cstdint>
#include <tuple>

namespace octavo {

/// In pixels of its octave; grid position plus offset is where the fitted quadratic has its extremum.
struct Extremum {
  std::int32_t layer = 0;  ///< 1…S
  std::int32_t row = 0;
  std::int32_t column = 0;
  float layer_offset = 0;  ///< each in (−0.5, 0.5)
  float row_offset = 0;
  float column_offset = 0;
  float value = 0;  ///< D(x̂)

  friend bool operator==(const Extremum&, const Extremum&) = default;
  /// By grid position, which is unique once duplicates are removed: the rest follows from it.
  friend bool operator<(const Extremum& a, const Extremum& b) {
    return std::tie(a.layer, a.row, a.column) < std::tie(b.layer, b.row, b.column);
  }
};

/// Rows and columns at the edge of an octave in which no extrema are sought (as OpenCV).
inline constexpr int extrema_border = 5;

/// How far refinement may wander from where it began [pixel of the octave]; it reads one pixel more.
inline constexpr int refinement_reach = 5;

/// Newton steps before an extremum that does not settle is given up (as OpenCV).
inline constexpr int refinement_steps = 5;

/// What decides whether an extremum is kept, in the units of D.
struct ExtremumLimits {
  int layers = 3;       ///< S
  float candidate = 0;  ///< |D| at the pixel must exceed this: half of t/S
  float contrast = 0;   ///< S·|D(x̂)| must reach this: t
  float edge = 0;       ///< (r + 1)²/r; tr²/det of the spatial Hessian must stay below; 0: no test
};

}  // namespace octavo
