// Trilateral smoothing of an octave: which filter makes which image.

#pragma once

#include <vector>

#include "octavo/sift_options.h"
#include "scale_space/plan.h"
#include "trilateral/trilateral.h"

namespace octavo {

/// [i − 1] makes image i, i = 1…S + 2, of the image that `source_of_image` says. They reach farther and farther.
std::vector<TrilateralPlan> trilateral_steps(const SiftOptions& options, const ScaleSpacePlan& plan);

/// The image that image i is filtered from.
inline int source_of_image(const SiftOptions& options, int i) {
  return options.trilateral_schedule == SmoothingSchedule::direct ? 0 : i - 1;
}

}  // namespace octavo
