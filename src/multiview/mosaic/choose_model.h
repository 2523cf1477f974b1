#pragma once

#include <optional>
#include <string>
#include <vector>

#include "multiview/mosaic/frames.h"
#include "multiview/mosaic/pair_graph.h"

namespace octavo::mosaic {

/// The frames of the images of group 0, and how they were chosen.
struct Choice {
  Frames frames;
  std::vector<MosaicCandidate> candidates;
  MosaicCandidate chosen;
  std::string why;
  std::vector<double> uncertainty;  ///< [pixel] per image: see `uncertainty`
};

/// What is known of the cameras of all images before anything is fitted.
struct Cameras {
  const std::vector<ImageSize>& sizes;
  const std::vector<std::optional<double>>& focal_lengths;  ///< [pixel] as EXIF data give them
};

/// Fits the models that the options allow, and chooses one. `cameras` has all images; those outside of the tree keep
/// meaningless frames. MosaicCandidate describes the rule. `fits` may have frames of models that were
/// fitted to these images before, from which they begin; it gets the new ones.
Choice choose_model(const Tree& tree, const std::vector<VerifiedPair>& pairs, const Cameras& cameras,
                    const MosaicOptions& options, std::vector<Frames>& fits, const ProgressSink& progress);

/// The root-mean-square distance [pixel] of all inliers of a pair, and of those that are held out.
struct PairError {
  double all = 0, held_out = 0, median = 0;
};
PairError error_of(const Frames& frames, const VerifiedPair& pair);

}  // namespace octavo::mosaic
