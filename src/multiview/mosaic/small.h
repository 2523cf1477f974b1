#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "multiview/mosaic/details.h"
#include "multiview/mosaic/stored.h"

namespace octavo::mosaic {

/// A small copy of an image, in which exposure and seams are found: CV_16UC3, in which its scale is that of 16 bits.
/// `scale` stays that of the image. Of many `images` copies are smaller.
Stored small_copy(const Stored& image, std::size_t images);

/// Draws the images of a plan on a small canvas, as the parts of `details`. The images have their sizes, statuses and
/// scales, `details` has options, canvas and geometry, and `small` has a small copy of each image that is placed.
void draw_small(const MosaicPlan& plan, MosaicPlan::Details& details, const std::vector<Stored>& small);

/// Finds the gains and the vignetting, and corrects the parts by them. What is clipped is shown only where no other
/// image shows it.
void correct_exposure(MosaicPlan& plan, MosaicPlan::Details& details);

/// The same, and evens out what gains and vignetting leave: local gains, and highlights.
void even_out(MosaicPlan& plan, MosaicPlan::Details& details);

}  // namespace octavo::mosaic
