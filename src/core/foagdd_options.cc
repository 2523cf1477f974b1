// The one validator of FOAGDD's options.

#include "octavo/foagdd_options.h"

#include <string>

#include "core/check.h"

namespace octavo {

void validate(const FoagddOptions& o) {
  check_range("directions", o.directions, 2, 16);
  check_range("verify_scales", o.verify_scales, 1, 5);
  check_range("rho", o.rho, 1.0, 4.0);
  check_range("window", o.window, 3, 11);
  if (o.window % 2 == 0) {
    throw Error(ErrorCode::invalid_option, "window is " + std::to_string(o.window) + ", but must be odd");
  }
  // The disc of a window of 3 has 9 pixels; M of more directions is singular everywhere.
  if (o.window == 3 && o.directions > 9) {
    throw Error(ErrorCode::invalid_option,
                "directions is " + std::to_string(o.directions) + ", but must be at most 9 with a window of 3");
  }
  check_range("corner_threshold", o.corner_threshold, -100.0, 100.0);
  check_range("luma", static_cast<int>(o.luma), 0, 1);
  check_range("descriptor_scale", o.descriptor_scale, 1.6, 8.0);
  check_range("descriptor", static_cast<int>(o.descriptor), 0, 1);
  check_range("max_orientations", o.max_orientations, 1, 4);
  check_range("max_features", o.max_features, 0, 100'000'000);
  check_range("grid", o.grid, 1, 64);
}

}  // namespace octavo
