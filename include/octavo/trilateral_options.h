#pragma once

#include "octavo/sift_options.h"
#include "octavo/smoothing.h"

namespace octavo {

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
