// Which keypoints stay: those inside the mask, and the best of them where there is a budget. Rank, then cut: never by
// order of arrival. On a GPU select_kernels.cl.h chooses the same.

#pragma once

#include <vector>

#include "octavo/image.h"
#include "octavo/keypoint.h"
#include "octavo/sift_options.h"

namespace octavo {

/// True if the pixel nearest to (x, y) is not 0 in the mask.
bool inside(const ImageView& mask, float x, float y);

/// Indices of the keypoints that a budget keeps, ascending. The keypoints are in canonical order, which breaks ties.
/// With a G×G grid each cell first keeps its best ⌈max_features/G²⌉, in rounds over the ranks so that no cell is
/// favoured, and what the budget has left goes to the best of the rest.
std::vector<std::size_t> select(const std::vector<Keypoint>& keypoints, int width, int height,
                                const SiftOptions& options);

}  // namespace octavo
