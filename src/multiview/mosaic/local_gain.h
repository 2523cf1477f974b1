#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "multiview/mosaic/details.h"

namespace octavo::mosaic {

/// The logarithms (CV_32FC3) that the colours of each image are divided by in addition to its gain, in equal cells that
/// cover the image; empty for an image that needs none. `colours` of the parts are corrected by gains and vignetting.
std::vector<cv::Mat> local_gains(const std::vector<MosaicPlan::Details::Part>& parts, std::size_t images);

/// Divides colours by the local gain of their image. `at` tells their places as Part::at.
void correct_locally(cv::Mat& colours, const cv::Mat& at, const cv::Mat& local_gain);

}  // namespace octavo::mosaic
