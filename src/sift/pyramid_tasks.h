// The pyramid and its extrema as tiles, in an order in which none has to wait for one behind it.

#pragma once

#include <vector>

#include "scale_space/pyramid_gpu.h"

namespace octavo {

#include "sift/pyramid_task.h"

struct PyramidTasks {
  std::vector<PyramidTask> order;
  int counters = 0;  ///< numbered from 0
};

PyramidTasks plan_tasks(const ScaleSpacePlan& plan, const std::vector<OctaveLayout>& layout);

}  // namespace octavo
