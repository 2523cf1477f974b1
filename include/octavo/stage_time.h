#pragma once

#include <string>

#include "octavo/api.h"

namespace OCTAVO_API octavo {

/// The time of one stage of a piece of work. Stages do not overlap.
struct StageTime {
  /// The stages of an extraction are "scale space and extrema", "orientation", "descriptor" …; on a GPU also "upload",
  /// "order", "selection", "download".
  std::string stage;
  double milliseconds = 0;  ///< [ms] wall time on the CPU; the device's own clock on a GPU
};

}  // namespace octavo
