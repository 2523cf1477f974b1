// From octave coordinates to the image's.

#pragma once

#include "octavo/keypoint.h"
#include "octavo/sift_options.h"
#include "sift/oriented.h"

namespace octavo {

/// σ of an extremum [pixel of the octave]: σ0·2^((layer + offset)/S).
float scale_of(const Extremum& e, const SiftOptions& options);

/// The keypoint in the image's pixels. Pixel i of the doubled image sits at i/2 of the image.
Keypoint keypoint_of(const Oriented& oriented, const SiftOptions& options);

}  // namespace octavo
