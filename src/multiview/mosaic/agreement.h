#pragma once

#include "multiview/mosaic/intensities.h"

namespace octavo::mosaic {

/// Whether two images show the same nearly everywhere in their overlap, within `threshold` [pixel], by the patches of
/// both. If not, something that both show agrees alone, such as a logo. Depth, too, displaces patches.
bool agree_nearly_everywhere(const GreyImage& grey_a, const GreyImage& grey_b, const cv::Matx33d& b_from_a,
                             double threshold);

}  // namespace octavo::mosaic
