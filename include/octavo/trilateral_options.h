#pragma once

#include "octavo/api.h"
#include "octavo/option_table.h"
#include "octavo/sift_options.h"
#include "octavo/smoothing.h"

namespace OCTAVO_API octavo {

/// The options of the trilateral filter. Source: P. Choudhury, J. Tumblin, "The trilateral filter for high contrast
/// images and meshes", EGSR 2003. The results are the same on every device. The option table has the ranges.
///
/// σ_r is the size of a small difference: 0.15 times the range of the gradient magnitudes over the image. A change of
/// contrast therefore does not change the filter. If σ_r is not above 2^-100 (a flat image), the output is the
/// input.
struct TrilateralOptions {
  double sigma = 1.6;  ///< σ_c [pixel]: deviation of the spatial weights
  TrilateralWindow window = TrilateralWindow::power_of_two;
  /// [σ_c] A window is cut off at this distance from its centre. Beyond 5.77 the spatial weight is below 2^-24 of the
  /// centre's. The time grows with the square of it.
  double truncate = 5.77;
  Luma luma = Luma::bt709;  ///< the luma of colour images

  friend bool operator==(const TrilateralOptions&, const TrilateralOptions&) = default;
};

/// Name, kind, range, unit and meaning of every option.
template <>
const OptionTable<TrilateralOptions>& option_table<TrilateralOptions>();

/// Throws Error(invalid_option) for the first option out of range. The error names the option, its value and the range.
void validate(const TrilateralOptions& options);

}  // namespace octavo
