#pragma once

#include "multiview/mosaic/intensities.h"
#include "multiview/mosaic/pair_graph.h"

namespace octavo::mosaic {

/// Whether a pattern repeats in the overlap of a pair so exactly that its images agree at another place as well:
/// nothing in them decides which is right. Places agree within `threshold` pixels.
bool is_undecidable(const VerifiedPair& pair, const GreyImage& grey_a, const GreyImage& grey_b, double threshold);

/// The parallax of a pair without the matches whose places agree where the homography puts them, or that it puts
/// outside of b: those are of a pattern that repeats, not of depth.
planes::Parallax true_parallax(const VerifiedPair& pair, const GreyImage& grey_a, const GreyImage& grey_b,
                               double threshold);

}  // namespace octavo::mosaic
