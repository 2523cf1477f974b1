// The one validator of the robust estimators' options.

#include "core/check.h"
#include "octavo/geometry.h"

namespace octavo {

void validate(const RobustOptions& options) {
  check_range("robust method", static_cast<int>(options.method), 0, 2);
  check_range("robust threshold", options.threshold, 1e-3, 1e3);
  check_range("robust confidence", options.confidence, 1e-6, 1 - 1e-6);
  check_range("robust max_iterations", options.max_iterations, 1, 10'000'000);
}

}  // namespace octavo
