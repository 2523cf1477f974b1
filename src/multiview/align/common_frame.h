// Where each of two images is the coarser one in some direction, neither frame suits: the image that is drawn there is
// blurred along one direction and the other one along another, so that descriptors differ. In a frame that is as coarse
// as the coarser image in every direction both look alike (Mishkin et al., MODS, 2015, compare views of both images).

#pragma once

#include <opencv2/core.hpp>
#include <optional>

#include "multiview/geometry/visible_part.h"

namespace octavo {

struct CommonFrame {
  cv::Matx33d from_a, from_b;
  planes::Polygon part;  ///< what both images show
};

/// None where one image is the finer one in all directions, or nearly: its own frame then suits. `part_of_a` is what B
/// shows too; `b_from_a` is a homography with a positive determinant.
std::optional<CommonFrame> common_frame(const cv::Matx33d& b_from_a, const planes::Polygon& part_of_a);

}  // namespace octavo
