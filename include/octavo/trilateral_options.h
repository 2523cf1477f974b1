#pragma once

#include <cstdint>

#include "octavo/sift_options.h"

namespace octavo {

/// How large a pixel's window is, f being the largest number of pixels for which all gradients at most f pixels away
/// (in x and in y) differ from the pixel's own by at most σ_r.
enum class TrilateralWindow : std::uint8_t {
  power_of_two,  ///< ⌊2^f / 2⌋ pixels to each side, as the sources have it; above f = 2 more than was looked at
  certified,     ///< f pixels to each side: the gradients in it are alike
};

/// What the trilateral filter computes; P. Choudhury, J. Tumblin, "The trilateral filter for high contrast images and
/// meshes", EGSR 2003. The same on every device. `validate` names the valid ranges.
///
/// σ_r, what counts as a small difference, is 0.15 times the range of the gradients' magnitudes over the image, so that
/// an image of other contrast is filtered alike. Where it is not above 2^-100 (a flat image, one of constant slope),
/// the output is the input.
struct TrilateralOptions {
  double sigma =
      1.6;  ///< σ_c [pixel], 0.5…32: of the spatial weights; a window ends 5.77σ from its centre at the latest
  TrilateralWindow window = TrilateralWindow::power_of_two;
  Luma luma = Luma::bt709;  ///< of colour images

  friend bool operator==(const TrilateralOptions&, const TrilateralOptions&) = default;
};

/// Throws Error(invalid_option) naming the first option out of range, its value and the range.
void validate(const TrilateralOptions& options);

}  // namespace octavo
