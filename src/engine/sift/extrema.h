// Extrema of the difference of Gaussians as plain loops: the definition.

#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/internal_api.h"
#include "engine/core/plane.h"
#include "engine/extract/extremum.h"
#include "engine/maths/host_spelling.h"

namespace OCTAVO_INTERNAL_API octavo {

// Names that kernels and hosts share.
#include "engine/sift/extremum_limits.h"

namespace reference {

/// A grid point where D is extreme and beyond the candidates' limit, and the outcome of its refinement.
struct Trial {
  Extremum at;  ///< the grid point, with D there
  /// The point where refinement ended. Offsets and value are not set if it is unstable.
  Extremum end;
  float square_of_trace = 0;  ///< of the spatial Hessian around `end`
  float determinant = 0;
  Refinement outcome = refinement_unstable;
};

/// The trials of rows [row_begin, row_end) of an octave, ascending by layer, row, column. A result to which the
/// refinement of several points leads is there several times. `faint`, if not null, receives for each layer 1…S (at
/// [layer − 1]) the number of grid points where D is extreme, but not beyond the candidates' limit.
std::vector<Trial> trials(const std::vector<Plane>& levels, const ExtremumLimits& limits, int row_begin, int row_end,
                          std::vector<std::int64_t>* faint = nullptr);

/// The extrema of one octave, from its S + 3 Gaussian images, sorted by grid position, without duplicates.
std::vector<Extremum> extrema(const std::vector<Plane>& levels, const ExtremumLimits& limits);

}  // namespace reference
}  // namespace octavo
