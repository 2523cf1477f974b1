#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "multiview/mosaic/details.h"
#include "multiview/mosaic/stored.h"

namespace octavo::mosaic {

/// A small copy of an image, in which exposure and seams are found: CV_16UC3, in which its scale is that of 16 bits.
/// `scale` stays that of the image.
Stored small_copy(const Stored& image);

/// Draws the images of a plan on a small canvas, as the parts of `details`, and corrects their exposure if the
/// options say so. The images have their sizes, statuses and scales, `details` has options, canvas and geometry, and
/// `small` has a small copy of each image that is placed.
void draw_small(MosaicPlan& plan, MosaicPlan::Details& details, const std::vector<Stored>& small);

}  // namespace octavo::mosaic
