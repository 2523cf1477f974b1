#pragma once

#include <vector>

#include "multiview/mosaic/details.h"

namespace octavo::mosaic {

/// Sets the gain of the images and the vignetting of a plan from what overlapping parts show of each other. Images
/// without overlap keep a gain of 1.
void estimate_exposure(MosaicPlan& plan, const std::vector<MosaicPlan::Details::Part>& parts);

}  // namespace octavo::mosaic
