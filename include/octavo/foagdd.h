#pragma once

#include "octavo/api.h"
#include "octavo/choices.h"
#include "octavo/device.h"
#include "octavo/extractor.h"
#include "octavo/option_table.h"

namespace OCTAVO_API octavo {

/// The options of FOAGDD. Source: W. Zhang, C. Sun, "Corner detection using multi-directional structure tensor with
/// multiple scales", IJCV 128, 2020. The results are the same on every device. The option table has the ranges.
///
/// The grey image, with values from 0 to 255, is filtered by first-order anisotropic Gaussian derivatives in K
/// directions. A pixel is a corner if the responses around it differ in all directions.
struct FoagddOptions {
  int directions = 8;  ///< K; the directions are θ = dπ/K. With a window of 3, K is at most 9
  /// A corner exceeds the threshold at each of σ = 1.5, 3, … 1.5·verify_scales; σ is a variance [pixel²]. The authors'
  /// published code stops at 2, the paper at 3.
  int verify_scales = 3;
  double rho = 1.5;  ///< ρ: the standard deviation of a filter is √(σ/ρ) along its direction, √(σρ) across it
  int window = 7;    ///< [pixel] odd: the diameter of the disc of responses that decide about a pixel
  /// The threshold for log10 of the measure det M / tr M. M holds, for each pair of directions, the sum over the disc
  /// of the products of their responses. The measure grows with the image's contrast to the power 2K − 2. The default
  /// 8.4 is for K = 8.
  double corner_threshold = 8.4;
  Luma luma = Luma::bt601;
  /// The derivatives are of grey rounded to whole numbers, as the authors' pipeline reads colour images. Only colour
  /// and samples of more than 8 bits change.
  bool round_grey = false;
  bool describe = false;        ///< corners get orientations and SIFT descriptors; otherwise orientation 0 only
  double descriptor_scale = 3;  ///< [pixel] σ of the Gaussian image in which corners are described; their scale
  DescriptorKind descriptor = DescriptorKind::sift;
  int max_orientations = 4;  ///< keypoints per described corner, highest peaks first
  bool upright = false;      ///< one keypoint per described corner, orientation 0
  int max_features = 0;      ///< keep the N corners of largest measure; 0: all
  int grid = 1;              ///< G: a G×G grid shares the budget, ⌈N/G²⌉ per cell; the rest goes by measure

  friend bool operator==(const FoagddOptions&, const FoagddOptions&) = default;
};

/// Name, kind, range, unit and meaning of every option.
template <>
const OptionTable<FoagddOptions>& option_table<FoagddOptions>();

/// Throws Error(invalid_option) for the first option out of range. The error names the option, its value and the range.
void validate(const FoagddOptions& options);

/// An Extractor of FOAGDD corners. Corners lie at the centres of pixels and are ordered row by row: x and y are whole
/// numbers. `response` is log10 of the measure (8.4 and more by default). `scale` is the scale of description. `octave`
/// and `layer` are 0. Corners lie in the rows 6 … height − 6 and in the same range of columns, so images below 12×12
/// have none. Described corners can stay on the GPU that found them. Corners without descriptors are always in host
/// memory.
class Foagdd : public Extractor {
 public:
  /// Throws Error(invalid_option) or Error(device_unavailable).
  explicit Foagdd(const FoagddOptions& options = {}, const DeviceOptions& device = {});
};

/// Makes the extractor for these options. octavo/detectors.h requires such a function of every detector.
inline Extractor extractor_of(const FoagddOptions& options, const DeviceOptions& device) {
  return Foagdd(options, device);
}

}  // namespace octavo
