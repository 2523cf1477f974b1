#pragma once

#include <functional>
#include <vector>

#include "multiview/mosaic/pair_graph.h"
#include "octavo/matcher.h"
#include "octavo/progress.h"

namespace octavo::mosaic {

/// The features of the images, and which pairs of them are matched.
struct PairSource {
  const std::vector<Features>& features;
  const std::vector<ImageSize>& sizes;
  std::function<bool(std::size_t a, std::size_t b)> is_wanted;  ///< a < b
  bool even_contrast = false;                                   ///< see MosaicPair
};

/// The wanted pairs that have matches, verified, by a, then b. Of more than 24 images a pair is first tried with few
/// features, those with the largest scales.
std::vector<VerifiedPair> match_pairs(const PairSource& source, Matcher& matcher, const RobustOptions& robust,
                                      const ProgressSink& progress);

}  // namespace octavo::mosaic
