#pragma once

#include "octavo/sift_options.h"

namespace octavo {

/// What FOAGDD computes; W. Zhang, C. Sun, "Corner detection using multi-directional structure tensor with multiple
/// scales", IJCV 128, 2020. The same on every device. `validate` names the valid ranges.
///
/// The image, in grey from 0 to 255, is filtered by first-order anisotropic Gaussian derivatives in K directions; a
/// corner is where the responses around a pixel differ in all of them.
struct FoagddOptions {
  int directions = 8;  ///< K, 2…16, with a window of 3 at most 9: θ = dπ/K
  int verify_scales = 3;  ///< 1…5: a corner exceeds the threshold at each of σ = 1.5, 3, … 1.5·verify_scales; σ is a
                          ///< variance [pixel²]. The authors' published code stops at 2, the paper at 3
  double rho = 1.5;  ///< ρ, 1…4: the filters' deviation is √(σ/ρ) along their direction, √(σρ) across it
  int window = 7;    ///< [pixel] 3, 5, 7, 9 or 11: diameter of the disc whose responses a pixel is judged by
  /// −100…100: log10 of the measure det M / tr M, M being the sums of the products of each two directions' responses
  /// over the disc. The measure grows with the image's contrast to the power 2K − 2: 8.4 is meant for K = 8.
  double corner_threshold = 8.4;
  Luma luma = Luma::bt601;
  bool describe = false;        ///< corners get orientations and SIFT's descriptors; else orientation 0 and none
  double descriptor_scale = 3;  ///< [pixel] 1.6…8: σ of the Gaussian image in which they are described, their scale
  DescriptorKind descriptor = DescriptorKind::sift;
  int max_orientations = 4;  ///< 1…4 keypoints per described corner, highest peaks first
  bool upright = false;      ///< one keypoint per described corner, orientation 0
  int max_features = 0;      ///< keep the N corners of largest measure; 0: all
  int grid = 1;  ///< G, 1…64: the budget is shared by a G×G grid: ⌈N/G²⌉ per cell, the rest by measure

  friend bool operator==(const FoagddOptions&, const FoagddOptions&) = default;
};

/// Throws Error(invalid_option) naming the first option out of range, its value and the range.
void validate(const FoagddOptions& options);

}  // namespace octavo
