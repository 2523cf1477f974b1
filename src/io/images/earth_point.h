#pragma once

// Places on the Earth as points in space.

#include <array>

#include "engine/core/internal_api.h"
#include "octavo/io/camera_facts.h"

namespace OCTAVO_INTERNAL_API octavo {

/// The Cartesian coordinates [m] of a place on the ellipsoid of WGS 84, or `altitude` above it: the origin is the
/// middle of the Earth, x points to latitude 0, longitude 0, and z to the north.
std::array<double, 3> earth_point(const GpsPlace& place);

}  // namespace octavo
