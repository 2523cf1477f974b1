#pragma once

#include <vector>

#include "multiview/mosaic/pair_graph.h"
#include "multiview/mosaic/read_images.h"

namespace octavo::mosaic {

/// The images that add nothing to the mosaic, since others show all of them, not much smaller:
/// MosaicImageStatus::redundant, with the reason. All of `pairs` are right. Of images that show the same the badly
/// exposed ones are left out. Of two that overlap each other alone none is. Called again with more pairs, it
/// leaves out more; the pairs of those left out before must be among them.
std::vector<MosaicImage> with_redundant(const Images& images, const std::vector<const VerifiedPair*>& pairs);

}  // namespace octavo::mosaic
