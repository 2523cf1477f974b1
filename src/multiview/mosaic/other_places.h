#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "multiview/mosaic/intensities.h"

namespace octavo::mosaic {

/// The shifts [pixel of a] at which a pair of images agrees about as well as where its homography puts them, the best
/// first: where a's pixel p shows what b shows of p + shift. They are likely, not sure.
std::vector<cv::Point2d> other_places(const GreyImage& grey_a, const GreyImage& grey_b, const cv::Matx33d& b_from_a);

}  // namespace octavo::mosaic
