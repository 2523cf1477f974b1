#include "engine/trilateral/trilateral_steps.h"

#include <cmath>

namespace octavo {

std::vector<TrilateralPlan> trilateral_steps(const ScaleSpaceOptions& options, const ScaleSpacePlan& plan) {
  std::vector<TrilateralPlan> steps;
  double variance = 0;
  for (const Taps& taps : plan.step) {
    if (options.trilateral_schedule == SmoothingSchedule::incremental) variance = 0;
    variance += taps.sigma * taps.sigma;
    steps.push_back(plan_trilateral({.spatial_sigma = std::sqrt(variance),
                                     .trilateral_window = options.trilateral_window,
                                     .trilateral_truncate = options.trilateral_truncate}));
  }
  return steps;
}

}  // namespace octavo
