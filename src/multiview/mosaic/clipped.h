#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "multiview/mosaic/details.h"

namespace octavo::mosaic {

/// Takes the places out of the masks where an image is clipped, black or white, and another is not. The colours are
/// those of the images, before their exposure is corrected.
void leave_out_clipped(std::vector<MosaicPlan::Details::Part>& parts, cv::Size canvas);

}  // namespace octavo::mosaic
