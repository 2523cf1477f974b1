#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "multiview/mosaic/details.h"

namespace octavo::mosaic {

/// The largest channel of each pixel of CV_32FC3.
cv::Mat largest_channel(const cv::Mat& colours);

/// 255 where one of two images (CV_32FC3, 0…1, corrected) shows a thing that the other does not, such as a person who
/// walks.
cv::Mat things_of_one(const cv::Mat& colours_a, const cv::Mat& colours_b);

/// Finds what parts have behind the seams and the shown ones have not: Part::hidden. Without it the blending would
/// bring a shadow of it to the seam.
void find_hidden_things(std::vector<MosaicPlan::Details::Part>& parts);

}  // namespace octavo::mosaic
