// The choice and the description of corners: SIFT's orientations and descriptors, in one Gaussian image.

#pragma once

#include "engine/core/internal_api.h"
#include "engine/sift/sift_parts.h"
#include "octavo/foagdd.h"

namespace OCTAVO_INTERNAL_API octavo {

/// The scale space of the description. Corners are described in one Gaussian image: layer 1 of an octave with the image
/// in its own size. With one layer it has twice the blur of image 0.
ScaleSpaceOptions scale_space_of(const FoagddOptions& options);

Budget budget_of(const FoagddOptions& options);

/// The parts of SIFT for the description.
SiftParts description_of(const FoagddOptions& options);

}  // namespace octavo
