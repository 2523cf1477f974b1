#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "octavo/smoothing.h"

namespace octavo {

/// Weights that turn red, green, blue into grey.
enum class Luma {
  bt709,  ///< 0.2126, 0.7152, 0.0722
  bt601,  ///< 0.299, 0.587, 0.114, as OpenCV
};

/// How the 128 bins become bytes.
enum class DescriptorKind {
  sift,      ///< Lowe 2004, §6.1: unit length, clipped at 0.2, unit length, ×512
  rootsift,  ///< Arandjelović & Zisserman 2012: of these bytes, over their sum, the square root, ×512
};

/// What makes a keypoint worth keeping where there is a budget.
enum class Rank {
  response,  ///< strongest contrast first
  scale,     ///< largest first
};

/// What SIFT computes; D. Lowe, "Distinctive image features from scale-invariant keypoints", IJCV 60(2), 2004.
/// The same on every device. `validate` names the valid ranges.
struct SiftOptions {
  int first_octave = -1;             ///< −1: on the image doubled; 0: on the image as it is
  int max_octaves = 0;               ///< 1…32; 0: until the short side is below 12 pixels
  int layers = 3;                    ///< S, 1…8: scales per octave at which extrema are sought
  double sigma = 1.6;                ///< σ0 [pixel of its octave], 0.8…4: blur of each octave's first image
  double assumed_blur = 0.5;         ///< [pixel], 0…4: blur the camera left in the image
  double contrast_threshold = 0.04;  ///< t, 0…1: rejected if S·|D(x̂)| < t, images being 0…1
  double edge_threshold = 10;        ///< r, 1…1000 (ratio of principal curvatures), 0: no edge test
  Smoothing smoothing = Smoothing::gaussian;
  /// Of trilateral smoothing. It leaves no differences along edges: set `edge_threshold` to 0, as the program does.
  SmoothingSchedule trilateral_schedule = SmoothingSchedule::direct;
  TrilateralRange trilateral_range = TrilateralRange::contrast;
  TrilateralWindow trilateral_window = TrilateralWindow::power_of_two;
  int max_orientations = 4;  ///< 1…4 keypoints per point, highest peaks first
  bool upright = false;      ///< one keypoint per point, orientation 0
  Luma luma = Luma::bt709;
  DescriptorKind descriptor = DescriptorKind::sift;
  int max_features = 0;  ///< keep the best N; 0: all
  Rank rank = Rank::response;
  int grid = 1;  ///< G, 1…64: the budget is shared by a G×G grid: ⌈N/G²⌉ per cell, the rest by rank

  friend bool operator==(const SiftOptions&, const SiftOptions&) = default;
};

/// Throws Error(invalid_option) naming the first option out of range, its value and the range.
void validate(const SiftOptions& options);

/// The names that `preset` takes: "lowe2004", "opencv", "colmap", "ece277", "mizuno2015".
std::vector<std::string> preset_names();

/// The options of a published system. Throws Error(invalid_option) for an unknown name, listing the known ones.
SiftOptions preset(std::string_view name);

}  // namespace octavo
