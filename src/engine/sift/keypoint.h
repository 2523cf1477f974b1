// Conversion from octave coordinates to image coordinates.

#pragma once

#include "engine/core/internal_api.h"
#include "engine/extract/oriented.h"
#include "engine/sift/sift_parts.h"
#include "octavo/keypoint.h"

namespace OCTAVO_INTERNAL_API octavo {

/// σ of an extremum [pixel of the octave]: σ0·2^((layer + offset)/S).
float scale_of(const Extremum& e, const ScaleSpaceOptions& scale_space);

/// The keypoint in pixels of the image. Pixel i of the doubled image lies at i/2 of the image.
Keypoint keypoint_of(const Oriented& oriented, const SiftParts& parts);

/// Sets the matrix and the orientation of a keypoint, whose scale is set, to those of its ellipse.
void set_ellipse(Keypoint& keypoint, const Oriented& oriented);

}  // namespace octavo
