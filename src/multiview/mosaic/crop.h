#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "multiview/mosaic/details.h"
#include "multiview/mosaic/stored.h"

namespace octavo::mosaic {

/// The largest rectangle of a mask (CV_8U) in which no pixel is 0; of equals the first from above. Empty if all are 0.
cv::Rect largest_rectangle(const cv::Mat& mask);

/// Cuts the canvas of a plan to the largest rectangle in which draw_mosaic draws every pixel. The parts of `details`
/// have their seams, and the small canvas stays as it is. `small` has the small copies of the images, which tell their
/// holes. Without such a rectangle the canvas stays whole, and the plan has a warning.
void crop(MosaicPlan& plan, MosaicPlan::Details& details, const std::vector<Stored>& small);

/// Cuts off the sides of the canvas where masks and holes hide the images, but for a few pixels. The rest is as of
/// crop.
void trim(MosaicPlan& plan, MosaicPlan::Details& details, const std::vector<Stored>& small);

/// What the small canvas shows of the canvas.
cv::Rect cropped_part(const MosaicPlan::Details& details);

}  // namespace octavo::mosaic
