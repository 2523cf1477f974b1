#pragma once

#include <span>
#include <vector>

#include "multiview/mosaic/pair_graph.h"

namespace octavo::mosaic {

/// The pairs of images whose points are set by hand, by a, then b: used, with the homography that fits them best, or
/// the similarity where they do not determine one. Throws Error(invalid_argument) for a point that is in no image of
/// `images`, for a pair with one point alone, and for points of a pair that no homography brings together.
std::vector<VerifiedPair> pairs_by_hand(std::span<const MosaicPoint> points, const std::vector<MosaicImage>& images);

/// Adds them to the others, in the same order: to their matches where those are used, otherwise in their place.
void add_by_hand(std::vector<VerifiedPair>& pairs, std::vector<VerifiedPair> by_hand);

}  // namespace octavo::mosaic
