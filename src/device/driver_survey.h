// What a driver has to offer, found out without danger for this process: the driver is opened in a child process.

#pragma once

#include <string>
#include <vector>

#include "device/gpu.h"

namespace octavo {

/// The GPUs of a driver, without the means to open them.
struct DriverSurvey {
  std::vector<GpuFacts> gpus;
  std::string missing;  ///< the reason if there are no GPUs; otherwise empty
};

/// Asks a driver for its GPUs: calls `find` in a child process, or in this process if that drives a GPU already. A
/// driver that is in use survives no fork, and has shown that it works. Throws nothing.
DriverSurvey survey(GpuDriver (*find)());

}  // namespace octavo
