// Octaves of any smoothing as plain loops: the definition.

#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/plane.h"
#include "engine/scale_space/plan.h"
#include "octavo/image_view.h"

namespace octavo::reference {

struct SmoothedScaleSpace {
  std::vector<std::vector<Plane>> octaves;  ///< each with its S + 3 images
  float contrast = 1;                       ///< the factor of SIFT's contrast limits
};

SmoothedScaleSpace smoothed_scale_space(const ImageView& image, const ScaleSpaceOptions& options,
                                        const ScaleSpacePlan& plan);

/// [byte] that the images of all octaves take, and the planes of the step that makes an image.
std::uint64_t bytes_of_smoothed_scale_space(const ScaleSpaceOptions& options, const ScaleSpacePlan& plan);

}  // namespace octavo::reference
