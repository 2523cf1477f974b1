// Octaves of trilateral smoothing as plain loops: the definition.

#pragma once

#include <vector>

#include "core/plane.h"
#include "octavo/image.h"
#include "octavo/sift_options.h"
#include "scale_space/plan.h"

namespace octavo::reference {

struct TrilateralScaleSpace {
  std::vector<std::vector<Plane>> octaves;  ///< each with its S + 3 images
  float contrast = 1;                       ///< the factor of SIFT's contrast limits
};

TrilateralScaleSpace trilateral_scale_space(const ImageView& image, const SiftOptions& options,
                                            const ScaleSpacePlan& plan);

}  // namespace octavo::reference
