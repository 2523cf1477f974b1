// The plan of a scale space, made before any pixel is processed: the number and sizes of the octaves, and the taps of
// every blur. The host computes it in double, from +, −, ×, ÷ and sqrt alone, so that it is the same everywhere.
//
// Theory (Lowe 2004, §3): each octave holds S + 3 images of blur σ0·k^i, k = 2^(1/S). Image i comes from image i − 1 by
// a blur of σ0·sqrt(k^2i − k^2(i−1)), since variances add up. Image S has twice the octave's first blur; every second
// pixel of it is the first image of the next octave.
//
// Repeated smoothing (tsp 2023) has the same images, but no first blur, and one filter for all steps. The next octave
// begins with every second pixel of its third image.

#pragma once

#include <algorithm>
#include <vector>

#include "engine/core/internal_api.h"
#include "engine/scale_space/scale_space_options.h"

namespace OCTAVO_INTERNAL_API octavo {

/// A symmetric Gaussian filter: weight[k] applies to the pixels at distance k on both sides, k = 0…radius. The weights
/// of all taps sum to 1.
struct Taps {
  double sigma = 0;           ///< [pixel]
  std::vector<float> weight;  ///< from the centre outwards
  Border border = Border::mirrored;
  [[nodiscard]] int radius() const { return static_cast<int>(weight.size()) - 1; }
};

/// The taps of a blur: normalised in double, rounded once.
Taps gaussian_taps(double sigma, int radius);
/// Radius ⌈tσ⌉ for `truncate` t, at least 1.
Taps gaussian_taps_cut_at(double truncate, double sigma);

struct Size {
  int width = 0;
  int height = 0;
};

struct ScaleSpacePlan {
  bool doubled = false;  ///< the first octave is the doubled image
  int layers = 0;        ///< S
  int halved = 0;  ///< the image of an octave, from 0, that the next one begins with: S, or 2 of repeated smoothing
  /// From the (doubled) image to image 0 of the first octave. A filter of radius 0 copies the image exactly.
  Taps base;
  std::vector<Taps> step;     ///< step[i − 1] leads from image i − 1 to image i, i = 1…S + 2
  std::vector<Size> octaves;  ///< from the finest to the coarsest; empty for images that are too small

  [[nodiscard]] int levels() const { return layers + 3; }  ///< Gaussian images per octave
};

/// Octaves are added until the short side is below this [pixel]. This leaves room for the border without extrema.
inline constexpr int smallest_octave = 12;

/// The plan for an image of width × height pixels. The options are valid.
ScaleSpacePlan plan_scale_space(int width, int height, const ScaleSpaceOptions& options);

/// The blur of image `level` of an octave [pixel of the octave]: σ0·2^(level/S). With repeated smoothing √level·σ0, the
/// blur beyond image 0.
double sigma_of_level(const ScaleSpaceOptions& options, int level);

/// Index of a pixel mirrored into [0, n): … 2 1 0 1 2 … n−2 n−1 n−2 …, for any i, n ≥ 1 ("reflect 101").
inline int mirrored(int i, int n) {
  if (n == 1) return 0;
  while (i < 0 || i >= n) i = i < 0 ? -i : 2 * (n - 1) - i;
  return i;
}

/// Index of the pixel that a filter reads at i: within the image i itself. n ≥ 1.
inline int pixel_read_at(int i, int n, Border border) {
  return border == Border::mirrored ? mirrored(i, n) : std::clamp(i, 0, n - 1);
}

}  // namespace octavo
