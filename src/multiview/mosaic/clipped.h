#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "multiview/mosaic/details.h"

namespace octavo::mosaic {

/// 255 where colours (CV_32FC3, 0…1) are clipped: a channel is white, or all are black. Lone pixels do not count, and
/// gaps do.
cv::Mat clipped(const cv::Mat& colours);

/// Takes the places out of the masks where a part was clipped before its exposure was corrected, and another shows the
/// same well.
void leave_out_clipped(std::vector<MosaicPlan::Details::Part>& parts, const std::vector<cv::Mat>& lost);

}  // namespace octavo::mosaic
