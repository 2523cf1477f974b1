#pragma once

#include <string>

namespace octavo {

/// Where the time of one piece of work went.
struct StageTime {
  /// Of an extraction "scale space and extrema", "orientation", "descriptor" …; on a GPU also "upload", "order",
  /// "selection", "download".
  std::string stage;
  double milliseconds = 0;  ///< wall time on the CPU, the device's own clock on a GPU; stages do not overlap
};

}  // namespace octavo
