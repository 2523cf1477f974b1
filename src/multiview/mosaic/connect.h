#pragma once

#include <vector>

#include "multiview/mosaic/choose_model.h"
#include "multiview/mosaic/pair_graph.h"
#include "multiview/mosaic/read_pictures.h"

namespace octavo::mosaic {

/// The pairs of pictures that have matches, with exact places, by a, then b. Pictures that their features do not
/// connect with the largest group are tried again with even contrast.
std::vector<VerifiedPair> matched_pairs(const Pictures& pictures, std::vector<Features> features,
                                        const std::vector<GreyPicture>& greys, Extractor& extractor, Matcher& matcher,
                                        const RobustOptions& robust, const ProgressSink& progress);

/// The pairs of pictures, and what they make of them.
struct Connected {
  std::vector<VerifiedPair> pairs;
  std::vector<int> group;  ///< of each picture: `groups`
  Tree tree;               ///< of group 0
  Choice choice;           ///< of group 0
  bool found = false;      ///< whether two pictures are connected; if not, there is no choice

  [[nodiscard]] bool is_member(int picture) const { return group[static_cast<std::size_t>(picture)] == 0; }
};

/// Connects the pictures by their pairs, and compares those of the largest group once more where they lie. Pairs that
/// the others contradict become `inconsistent`, one by one.
Connected connect(std::vector<VerifiedPair> pairs, const std::vector<ImageSize>& sizes,
                  const std::vector<GreyPicture>& greys, const RobustOptions& robust, const MosaicOptions& options,
                  const ProgressSink& progress);

}  // namespace octavo::mosaic
