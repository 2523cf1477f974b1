#pragma once

#include <vector>

#include "multiview/mosaic/details.h"

namespace octavo::mosaic {

/// Reduces the masks of overlapping parts until each pixel is shown by one of them. The seams go where the colours of
/// the images agree.
void find_seams(std::vector<MosaicPlan::Details::Part>& parts);

}  // namespace octavo::mosaic
