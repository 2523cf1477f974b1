#pragma once

#include <vector>

#include "multiview/mosaic/choose_model.h"
#include "multiview/mosaic/pair_graph.h"
#include "multiview/mosaic/read_images.h"

namespace octavo::mosaic {

/// The pairs of images that have matches, with exact places, by a, then b. Images that add nothing become `redundant`,
/// unless the options keep them, and have no pairs. Images that their features do not connect with the largest group
/// are tried again with even contrast.
std::vector<VerifiedPair> matched_pairs(Images& images, std::vector<Features> features,
                                        const std::vector<GreyImage>& greys, Extractor& extractor, Matcher& matcher,
                                        const RobustOptions& robust, const MosaicOptions& options,
                                        const ProgressSink& progress);

/// The pairs of images, and what they make of them.
struct Connected {
  std::vector<VerifiedPair> pairs;
  std::vector<int> group;  ///< of each image: `groups`
  Tree tree;               ///< of group 0
  Choice choice;           ///< of group 0
  bool found = false;      ///< whether two images are connected; if not, there is no choice

  [[nodiscard]] bool is_member(int image) const { return group[static_cast<std::size_t>(image)] == 0; }
};

/// Connects the images by their pairs, and compares those of the largest group once more where they lie. Pairs that
/// the others contradict become `inconsistent`, one by one.
Connected connect(std::vector<VerifiedPair> pairs, const std::vector<ImageSize>& sizes,
                  const std::vector<GreyImage>& greys, const RobustOptions& robust, const MosaicOptions& options,
                  const ProgressSink& progress);

}  // namespace octavo::mosaic
