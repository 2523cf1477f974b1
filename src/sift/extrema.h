// Extrema of the difference of Gaussians as plain loops: the definition.

#pragma once

#include <vector>

#include "core/plane.h"
#include "octavo/sift_options.h"
#include "sift/extremum.h"

namespace octavo {

/// The limits that `options` mean, rounded once.
ExtremumLimits extremum_limits(const SiftOptions& options);

namespace reference {

/// The extrema of one octave, from its S + 3 Gaussian images, sorted by grid position, without duplicates.
std::vector<Extremum> extrema(const std::vector<Plane>& levels, const ExtremumLimits& limits);

}  // namespace reference
}  // namespace octavo
