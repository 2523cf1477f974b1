// Trilateral smoothing of an octave: the filter and the source of each image.

#pragma once

#include <vector>

#include "engine/scale_space/plan.h"
#include "engine/trilateral/trilateral.h"

namespace octavo {

/// The filters: [i − 1] makes image i, i = 1…S + 2, from the image of source_of_image. Their reach increases.
std::vector<TrilateralPlan> trilateral_steps(const ScaleSpaceOptions& options, const ScaleSpacePlan& plan);

/// The index of the image that image i is filtered from.
inline int source_of_image(const ScaleSpaceOptions& options, int i) {
  return options.trilateral_schedule == SmoothingSchedule::direct ? 0 : i - 1;
}

}  // namespace octavo
