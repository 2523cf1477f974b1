#pragma once

#include <vector>

#include "multiview/mosaic/pair_graph.h"

namespace octavo::mosaic {

/// Verifies pairs again whose matches a homography does not explain (VerifiedPair::bent), by a homography of points
/// without lens distortion, if one distortion of all images of a size explains clearly more of them. Their matrix is
/// the homography that is nearest. `features` are those of all images.
void verify_with_lens(std::vector<VerifiedPair>& pairs, const std::vector<Features>& features,
                      const std::vector<ImageSize>& sizes, const RobustOptions& robust);

}  // namespace octavo::mosaic
