#pragma once

#include <cstdint>
#include <string_view>

#include "octavo/api.h"

namespace OCTAVO_API octavo {

// What options choose among. The structs that have such options are in the headers of their algorithms.

/// The filter that smooths the images of an octave of SIFT's scale space. Every second pixel of image S of an octave,
/// or of image 2 with repeated smoothing, is image 0 of the next octave.
enum class Smoothing : std::uint8_t {
  gaussian,    ///< Lowe 2004
  trilateral,  ///< M. Mizuno 2015: the trilateral filter of Choudhury and Tumblin, which keeps edges steep
  /// tsp 2023: image 0 is the octave's input without a blur, and one Gaussian of radius ⌈2σ0⌉ leads from each image to
  /// the next, so image i has the blur √i·σ0 beyond image 0. The scales of an octave are thus no geometric series: this
  /// makes a pyramid, and no keypoints.
  repeated,
};

/// The pixels that Gaussian blurs read beyond the edges of an image.
enum class Border : std::uint8_t {
  mirrored,  ///< … 2 1 0 1 2 …, as in OpenCV
  repeated,  ///< … 0 0 0 1 2 …, as in tsp 2023; on a GPU by the kernels of any radius alone
};

/// The source image from which image i of an octave is filtered, i = 1…S + 2.
enum class SmoothingSchedule : std::uint8_t {
  direct,       ///< image 0, with σ_c = σ0·√(2^(2i/S) − 1)
  incremental,  ///< image i − 1, with σ_c = σ0·√(2^(2i/S) − 2^(2(i−1)/S)), as in Mizuno 2015
};

/// How trilateral smoothing within SIFT chooses σ_r, the size of a small difference.
enum class TrilateralRange : std::uint8_t {
  /// σ_r = 0.14·C with C = (q99 − q1)/0.8, where q1 and q99 are the 1st and the 99th percentile of the grey image's
  /// values, in 4096 steps. SIFT's contrast threshold is multiplied by C too. An image with C = 0 has no keypoints.
  contrast,
  gradients,  ///< 0.15 times the range of the gradient magnitudes of the image that is filtered
};

/// The size of a pixel's window. f is the largest number such that all gradients at most f pixels away (in x and in y)
/// differ from the pixel's own gradient by at most σ_r.
enum class TrilateralWindow : std::uint8_t {
  power_of_two,  ///< ⌊2^f / 2⌋ pixels to each side; above f = 2 wider than the tested area
  certified,     ///< f pixels to each side: all gradients in the window are alike
};

/// Which pixels' windows a GPU sums together.
enum class TrilateralOrder : std::uint8_t {
  windows,  ///< those with windows of one size
  rows,     ///< neighbours in a row, as before Sawada (2024) sorts them: slower, to see what the order gains
};

/// The weights that convert red, green and blue to grey.
enum class Luma {
  bt709,  ///< 0.2126, 0.7152, 0.0722
  bt601,  ///< 0.299, 0.587, 0.114, as in OpenCV
};

/// Where an image in colour becomes grey.
enum class GreyOn : std::uint8_t {
  device,  ///< with the other work: a GPU receives all channels
  /// On the threads of the CPU: a GPU receives one channel of the image's type. Of whole-number samples it is rounded
  /// to the nearest one, which changes the pyramid by up to half a sample, on every device alike.
  host,
};

/// Which gradients vote for the orientations of a point.
enum class OrientationMethod : std::uint8_t {
  /// Those of a window of 1.5σ around the nearest pixel (Lowe 2004, §5). Their histogram is smoothed once.
  lowe,
  /// Those of two windows of 1.5σ and 3σ around the point itself, each on the image whose blur fits it. The histogram
  /// is
  /// smoothed until a direction stands for a sixth of a turn, so that other views have the same highest peak.
  pooled,
};

/// How the 128 bins become bytes.
enum class DescriptorKind {
  sift,      ///< Lowe 2004, §6.1: unit length, clipped at 0.2, unit length, ×512
  rootsift,  ///< Arandjelović & Zisserman 2012: the SIFT bytes divided by their sum, square root, ×512
};

/// Which keypoints a budget keeps.
enum class Rank {
  response,  ///< strongest contrast first
  scale,     ///< largest first
  /// Greatest response × scale first; a scale above 3 pixels counts as 3. Noise that is independent from pixel to pixel
  /// gives a difference of Gaussians a standard deviation in proportion to 1/scale, so this is a ratio of signal to
  /// noise. Larger points have little noise, but inexact places, so a scale above 3 pixels gains nothing.
  scaled_response,
};

/// The views of an image in which features are found too (Morel and Yu, ASIFT, 2009): the image turned and compressed
/// in one direction, as a camera would see a plane from aside.
enum class Views : std::uint8_t {
  none,  ///< the image alone
  few,   ///< 14 more: 1 to 3 and 1 to 6, about 4 times the area
  many,  ///< 28 more: 1 to 2, 1 to 4 and 1 to 8, about 7 times the area
};

/// "none", "few" or "many".
std::string_view word_of(Views views);

}  // namespace octavo
