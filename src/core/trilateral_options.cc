// The one validator of the trilateral filter's options.

#include "octavo/trilateral_options.h"

#include "core/check.h"

namespace octavo {

void validate(const TrilateralOptions& o) {
  check_range("sigma", o.sigma, 0.5, 32.0);
  check_range("window", static_cast<int>(o.window), 0, 1);
  check_range("luma", static_cast<int>(o.luma), 0, 1);
}

}  // namespace octavo
