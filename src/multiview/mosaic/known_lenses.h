#pragma once

#include <opencv2/core.hpp>
#include <optional>
#include <vector>

#include "multiview/mosaic/pair_graph.h"

namespace octavo::mosaic {

/// What the pairs of a tree tell of lenses (verify_with_lens).
struct KnownLenses {
  std::vector<double> radial;                  ///< per size: the median of its pairs; 0 if they know none
  std::vector<cv::Matx33d> parent_from_child;  ///< per branch: the homography of normalised coordinates, undistorted
};

/// `group` has the size of each image, of so many sizes. None if no pair of the tree knows a lens.
std::optional<KnownLenses> known_lenses(const Tree& tree, const std::vector<VerifiedPair>& pairs,
                                        const std::vector<ImageSize>& sizes, const std::vector<int>& group,
                                        std::size_t groups);

}  // namespace octavo::mosaic
