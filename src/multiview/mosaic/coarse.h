#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "multiview/mosaic/details.h"

namespace octavo::mosaic {

/// Takes the places out of the masks that an image shows with fewer pixels than the mosaic has, where another image
/// shows them with more. A band along the border of that one stays, in which a seam may lie. `scale`: pixels of the
/// small canvas on one of the mosaic.
void leave_out_coarse(std::vector<MosaicPlan::Details::Part>& parts, cv::Size small_canvas, double scale);

}  // namespace octavo::mosaic
