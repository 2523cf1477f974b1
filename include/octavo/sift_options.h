#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "octavo/api.h"
#include "octavo/choices.h"
#include "octavo/option_table.h"

namespace OCTAVO_API octavo {

/// The options of SIFT. Source: D. Lowe, "Distinctive image features from scale-invariant keypoints", IJCV 60(2), 2004.
/// The defaults are the preset "octavo", whose values find the most right matches on photographs (docs/evaluation.md);
/// other presets have the values of published systems. The results are the same on every device. The option table has
/// the ranges.
struct SiftOptions {
  int first_octave = -1;  ///< −1: the doubled image; 0: the image itself
  int max_octaves = 0;    ///< 0: octaves are added until the short side is below 12 pixels
  int layers = 4;         ///< S: the scales per octave that are searched for extrema
  double sigma = 2;       ///< σ0 [pixel of its octave]: the blur of each octave's first image; see Smoothing::repeated
  double assumed_blur = 0;            ///< [pixel] the blur that the image has from the camera
  double blur_truncate = 2.8;         ///< [σ] Gaussian blurs are cut off at ⌈this × σ⌉ pixels
  Border border = Border::mirrored;   ///< what they read beyond the image's edges
  double contrast_threshold = 0.005;  ///< t: a point is rejected if S·|D(x̂)| < t, for images of 0…1
  double edge_threshold = 30;         ///< r: the largest ratio of principal curvatures; 0: no edge test
  /// Trilateral smoothing wants other values than Gaussian blurs: the option table sets them when `smoothing` is set by
  /// name, and says which.
  Smoothing smoothing = Smoothing::gaussian;
  // The options of trilateral smoothing; see octavo/choices.h.
  SmoothingSchedule trilateral_schedule = SmoothingSchedule::direct;  ///< what each image is smoothed from
  TrilateralRange trilateral_range = TrilateralRange::contrast;
  TrilateralWindow trilateral_window = TrilateralWindow::power_of_two;
  double trilateral_truncate = 3;  ///< [σ_c] windows are cut off here; with 5.77 that is invisible
  OrientationMethod orientation = OrientationMethod::pooled;  ///< how keypoints get orientations
  int max_orientations = 1;                                   ///< keypoints per point, highest peaks first
  /// Keypoints are ellipses (Mikolajczyk and Schmid 2004), in whose frames they get orientations and descriptors.
  bool affine = false;
  bool upright = false;     ///< one keypoint per point, orientation 0
  Luma luma = Luma::bt709;  ///< how colours become grey
  /// With GreyOn::host an image in colour is made an image in grey of the same type before the work; one in the memory
  /// of a GPU is then refused. The features are those of that image.
  GreyOn grey = GreyOn::device;
  /// A view that is compressed t times has 1/t of the budget, or of the target, of the image. The image's own features
  /// are those without views. Keypoints of the others are ellipses.
  Views views = Views::none;
  DescriptorKind descriptor = DescriptorKind::rootsift;  ///< what the 128 bytes are
  /// N: a descriptor is the mean of the descriptors of N windows (Dong and Soatto 2015), whose sizes are `pool_from` to
  /// `pool_to` times the usual one in equal ratios. 0: of one window, of the usual size.
  int pool = 3;
  double pool_from = 0.6;  ///< of the usual window: the smallest that is pooled
  double pool_to = 2.4;    ///< the largest
  /// N: keep the N strongest keypoints, whatever their contrast. The contrast threshold is thus the one that gives N.
  /// `contrast_threshold`, `max_points`, `max_features`, `rank` and `grid` have no effect. 0: no target.
  int target_features = 0;
  /// The budget in points, as COLMAP counts: keep the best N points with all keypoints that their orientations make.
  /// `max_features` has no effect. A GPU leaves this choice to the host, which takes longer. 0: by `max_features`.
  int max_points = 0;
  int max_features = 8192;            ///< the budget N: keep the best N keypoints; 0: all
  Rank rank = Rank::scaled_response;  ///< what is best of more points than the budget has
  int grid = 1;                       ///< G: a G×G grid shares the budget, ⌈N/G²⌉ per cell; the rest goes by rank

  friend bool operator==(const SiftOptions&, const SiftOptions&) = default;
};

/// Name, kind, range, unit and meaning of every option, and the presets.
template <>
const OptionTable<SiftOptions>& option_table<SiftOptions>();

/// Throws Error(invalid_option) for the first option out of range. The error names the option, its value and the range.
void validate(const SiftOptions& options);

/// False if these options make a pyramid and no keypoints (Smoothing::repeated).
bool finds_keypoints(const SiftOptions& options);

/// Throws Error(invalid_option) if the options make no keypoints.
void require_keypoints(const SiftOptions& options);

/// The names of the presets: "octavo", which is the default, "best", "sfm", "wide", "signature", "lowe2004", "opencv",
/// "colmap", "ece277", "mizuno2015", "tsp2023".
std::vector<std::string> preset_names();

/// The options of a preset. Throws Error(invalid_option) for an unknown name; the error lists the known ones.
SiftOptions preset(std::string_view name);

}  // namespace octavo
