#pragma once

#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "multiview/mosaic/intensities.h"
#include "multiview/mosaic/pair_graph.h"
#include "octavo/matcher.h"
#include "octavo/progress.h"

namespace octavo::mosaic {

/// Whether a pair of images is to be matched, a < b.
using IsPairWanted = std::function<bool(std::size_t a, std::size_t b)>;

/// The features of the images, and which pairs of them are matched.
struct PairSource {
  const std::vector<Features>& features;
  const std::vector<ImageSize>& sizes;
  const std::vector<GreyImage>& greys;
  IsPairWanted is_wanted;
  bool even_contrast = false;  ///< see MosaicPair
};

/// The wanted pairs that have matches, verified, by a, then b.
std::vector<VerifiedPair> match_pairs(const PairSource& source, Matcher& matcher, const RobustOptions& robust,
                                      const ProgressSink& progress);

/// The features with the largest scales, which most likely appear in other images too: enough to tell which of several
/// images overlap.
std::vector<Features> few_features(const std::vector<Features>& features);

/// The wanted pairs that may overlap: those of which some matches of so many features, with the largest scales, agree.
/// Of many images most pairs do not.
std::set<std::pair<std::size_t, std::size_t>> likely_pairs(const PairSource& source, std::size_t few, Matcher& matcher,
                                                           const ProgressSink& progress);

/// Whether nearly all matches of a pair agree. Those of equal windows of a house, for example, do not.
bool agrees(const MosaicPair& pair);

/// Whether a pair agrees, and has as many matches as are used: it needs no more.
bool has_enough(const MosaicPair& pair);

}  // namespace octavo::mosaic
