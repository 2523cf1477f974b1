#pragma once

#include <vector>

#include "multiview/mosaic/pair_graph.h"
#include "multiview/mosaic/read_images.h"
#include "octavo/extractor.h"
#include "octavo/matcher.h"
#include "octavo/progress.h"

namespace octavo::mosaic {

/// The pairs of images that have matches, with exact places, by a, then b. Images that add nothing become `redundant`,
/// unless the options keep them, and have no pairs. Images that their features do not connect with the largest group
/// are tried again with even contrast.
std::vector<VerifiedPair> find_pairs(Images& images, std::vector<Features> features,
                                     const std::vector<GreyImage>& greys, Extractor& extractor, Matcher& matcher,
                                     const RobustOptions& robust, const MosaicOptions& options,
                                     const ProgressSink& progress);

}  // namespace octavo::mosaic
