#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "mosaic/details.h"

namespace octavo::mosaic {

/// A small copy of a picture (CV_16UC3), in which exposure and seams are found.
cv::Mat small_copy(const ImageView& image);

/// Draws the pictures of a plan on a small canvas, as the parts of `details`, and corrects their exposure if the
/// options say so. The pictures have their sizes and fates, `details` has options, canvas and geometry, and `small` has
/// a small copy of each picture that is placed.
void draw_small(MosaicPlan& plan, MosaicPlan::Details& details, const std::vector<cv::Mat>& small);

}  // namespace octavo::mosaic
