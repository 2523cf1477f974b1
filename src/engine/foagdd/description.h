// The description of corners: SIFT's orientations and descriptors, in one Gaussian image.

#pragma once

#include "engine/core/internal_api.h"
#include "octavo/foagdd.h"
#include "octavo/sift_options.h"

namespace OCTAVO_INTERNAL_API octavo {

/// The options of SIFT for the description. Corners are described in one Gaussian image: layer 1 of an octave with the
/// image in its own size. With one layer it has twice the blur of image 0. SIFT's own extrema are not needed, so the
/// threshold excludes them all. The budget is FOAGDD's: keypoints rank by response.
SiftOptions description_options(const FoagddOptions& options);

}  // namespace octavo
