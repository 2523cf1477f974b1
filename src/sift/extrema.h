// Extrema of the difference of Gaussians as plain loops: the definition.

#pragma once

#include <cstdint>
#include <vector>

#include "core/plane.h"
#include "octavo/sift_options.h"
#include "sift/extremum.h"

namespace octavo {

/// The limits that `options` mean, rounded once.
ExtremumLimits extremum_limits(const SiftOptions& options);

namespace reference {

/// A grid point where D is extreme and beyond the candidates' limit, and how its refinement went.
struct Trial {
  Extremum at;                ///< the grid point, with D there
  Extremum end;               ///< where refinement ended; offsets and value are not set if it is unstable
  float square_of_trace = 0;  ///< of the spatial Hessian around `end`
  float determinant = 0;
  Refinement outcome = refinement_unstable;
};

/// Those of rows [row_begin, row_end) of an octave, ascending by layer, row, column. What the refinement of several
/// leads to is there several times. `faint`, if given, receives for each layer 1…S (at [layer − 1]) the number of grid
/// points where D is extreme, but not beyond the candidates' limit.
std::vector<Trial> trials(const std::vector<Plane>& levels, const ExtremumLimits& limits, int row_begin, int row_end,
                          std::vector<std::int64_t>* faint = nullptr);

/// The extrema of one octave, from its S + 3 Gaussian images, sorted by grid position, without duplicates.
std::vector<Extremum> extrema(const std::vector<Plane>& levels, const ExtremumLimits& limits);

}  // namespace reference
}  // namespace octavo
