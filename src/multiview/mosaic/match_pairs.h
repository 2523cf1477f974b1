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

/// The wanted pairs that have matches, verified, by a, then b.
std::vector<VerifiedPair> match_pairs(const PairSource& source, Matcher& matcher, const RobustOptions& robust,
                                      const ProgressSink& progress);

/// The features with the largest scales, which most likely appear in other images too: enough to tell which of many
/// images overlap.
std::vector<Features> few_features(const std::vector<Features>& features);

/// Whether nearly all matches of a pair agree. Those of equal windows of a house, for example, do not.
bool agrees(const MosaicPair& pair);

/// Whether a pair agrees, and has as many matches as are used: it needs no more.
bool has_enough(const MosaicPair& pair);

}  // namespace octavo::mosaic
