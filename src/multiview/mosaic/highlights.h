#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "multiview/mosaic/details.h"

namespace octavo::mosaic {

/// The corrected value (1 is full scale) that is drawn as white: at least 1. `colours` of the parts are corrected.
double white_of(const std::vector<MosaicPlan::Details::Part>& parts);

/// Draws as white what was white in its image, whose colours were `before` the correction: an image that gets darker
/// would have a grey sky.
void keep_white(cv::Mat& colours, const cv::Mat& before, double white);

/// Maps corrected colours (CV_32FC3), of which `white` is drawn as white, to 0…1. Their channels keep their ratios.
void compress_highlights(cv::Mat& colours, double white);

}  // namespace octavo::mosaic
