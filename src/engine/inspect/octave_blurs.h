// The Gaussian images of an octave, all of them at a time.

#pragma once

#include <vector>

#include "engine/core/plane.h"
#include "engine/scale_space/octave_tiles_cpu.h"

namespace octavo::inspection {

/// Makes the images of an octave, in the planes of the octave before.
void make_blurs(const OctaveJob& octave, std::vector<Plane>& levels, OctaveTilesCpu& tiles);

}  // namespace octavo::inspection
