#pragma once

#include <cstddef>
#include <vector>

#include "multiview/mosaic/pair_graph.h"

namespace octavo::mosaic {

/// How far, in parts of half the diagonal, a pair may be from where other pairs place its images: their errors add up.
/// A guess: 99 of 100 right pairs of tiles are in a loop that closes within 0.04.
inline constexpr double allowed_displacement = 0.1;

/// The used pairs, as indices in their order, that loops of pairs tell to be wrong: there are loops through them, and
/// none closes. Of pairs that are sure these are the weakest of a loop that no other loop confirms, so that all images
/// stay connected. None is set by hand.
std::vector<std::size_t> contradicted_by_loops(const std::vector<VerifiedPair>& pairs,
                                               const std::vector<ImageSize>& sizes);

}  // namespace octavo::mosaic
