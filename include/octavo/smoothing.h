#pragma once

#include <cstdint>

namespace octavo {

/// What smooths the images of an octave of SIFT's scale space. The image doubled, its first blur and the step from
/// octave to octave are the same for both.
enum class Smoothing : std::uint8_t {
  gaussian,    ///< Lowe 2004
  trilateral,  ///< after M. Mizuno 2015: the trilateral filter of Choudhury and Tumblin, which leaves edges steep
};

/// What image i of an octave is filtered from, i = 1…S + 2.
enum class SmoothingSchedule : std::uint8_t {
  direct,       ///< from image 0, with σ_c = σ0·√(2^(2i/S) − 1)
  incremental,  ///< from image i − 1, with σ_c = σ0·√(2^(2i/S) − 2^(2(i−1)/S)), as the sources have it
};

/// What counts as a small difference within SIFT, σ_r.
enum class TrilateralRange : std::uint8_t {
  /// 0.14·C with C = (q99 − q1)/0.8, the 1st and the 99th percentile of the grey image's values, in 4096 steps;
  /// SIFT's contrast threshold is times C, too. An image of C = 0 has no keypoints.
  contrast,
  gradients,  ///< 0.15 times the range of the gradients' magnitudes of the image filtered, as the sources have it
};

/// How large a pixel's window is, f being the largest number of pixels for which all gradients at most f pixels away
/// (in x and in y) differ from the pixel's own by at most σ_r.
enum class TrilateralWindow : std::uint8_t {
  power_of_two,  ///< ⌊2^f / 2⌋ pixels to each side, as the sources have it; above f = 2 more than was looked at
  certified,     ///< f pixels to each side: the gradients in it are alike
};

}  // namespace octavo
