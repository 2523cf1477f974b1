#pragma once

#include <vector>

#include "multiview/mosaic/choose_model.h"
#include "multiview/mosaic/intensities.h"
#include "multiview/mosaic/pair_graph.h"

namespace octavo::mosaic {

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
/// the others contradict become `inconsistent`: first by loops of pairs, then in rounds of the adjustment.
Connected connect(std::vector<VerifiedPair> pairs, const Cameras& cameras, const std::vector<GreyImage>& greys,
                  const RobustOptions& robust, const MosaicOptions& options, const ProgressSink& progress);

}  // namespace octavo::mosaic
