// The choice of keypoints: those inside the mask, and the best of them if there is a budget. Keypoints are ranked
// before the cut; the order of arrival does not matter. On a GPU select_kernels.cl.h chooses the same keypoints.

#pragma once

#include <vector>

#include "engine/core/internal_api.h"
#include "engine/extract/budget.h"
#include "octavo/image_view.h"
#include "octavo/keypoint.h"

namespace OCTAVO_INTERNAL_API octavo {

/// True if the mask is not 0 at the pixel nearest to (x, y).
bool inside(const ImageView& mask, float x, float y);

/// The number by which a budget ranks a keypoint: the greater the better.
float rank_score(const Keypoint& keypoint, Rank rank);

/// Indices of the keypoints that a budget keeps, ascending. The keypoints are in canonical order, which breaks ties.
/// With a G×G grid each cell first keeps its best ⌈max_features/G²⌉ keypoints, in rounds over the ranks so that no cell
/// is favoured. The rest of the budget goes to the best of the remaining keypoints.
std::vector<std::size_t> select(const std::vector<Keypoint>& keypoints, int width, int height, const Budget& budget);

}  // namespace octavo
