// Inliers that their neighbours support. A retry seeks matches near where a homography puts them, so that some agree by
// chance wherever both images show something. Around a right one most matches agree (after Bian et al., "GMS:
// grid-based motion statistics for fast, ultra-robust feature correspondence", CVPR 2017).

#pragma once

#include <cstdint>
#include <vector>

#include "octavo/image_view.h"
#include "octavo/multiview/align.h"

namespace octavo {

/// The inliers' marks, without those of inliers around which, in A of this size, fewer than half of the matches agree.
std::vector<std::uint8_t> supported_inliers(const Alignment& found, ImageSize a);

/// The pairs of matches with a mark.
PointPairs marked_pairs(const Alignment& found, const std::vector<std::uint8_t>& marks);

}  // namespace octavo
