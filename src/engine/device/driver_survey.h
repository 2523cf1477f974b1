// What a driver has to offer, found out without danger for this process: the driver is opened in a child process, and
// so is each device whose driver compiles kernels, for a probe of that compiler (compiler_probe.h). A crash, a hang or
// wrong numbers are a shortcoming of that device alone. A passed probe is remembered in the cache folder, for this
// compiler and this version of the probe.
//
// A child process must be forked before this process opens a driver, since none survives a fork. ThreadSanitizer allows
// no fork, and Windows has none. A process that cannot fork opens the driver and probes itself.

#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "engine/device/gpu.h"

namespace octavo {

/// The GPUs of a driver, without the means to open them.
struct DriverSurvey {
  std::vector<GpuFacts> gpus;
  std::string missing;  ///< the reason if there are no GPUs; otherwise empty
};

/// Whether a GPU that was found may be used, so that its compiler is to be probed.
using MayBeUsed = std::function<bool(const GpuFacts&)>;

/// A driver answers within a second, on a busy machine within some. So does a probe.
constexpr std::chrono::seconds longest_answer{20};

/// Asks a driver for its GPUs: calls `find` in a child process, or in this process if that drives a GPU already. A
/// driver that is in use survives no fork, and has shown that it works. Throws nothing.
DriverSurvey survey(GpuDriver (*find)(), const MayBeUsed& may_be_used,
                    std::chrono::milliseconds limit = longest_answer);

/// Calls `find` in this process, for devices that are going to be opened; the probes run in child processes as for
/// `survey`. Throws what `find` throws.
GpuDriver find_probed(GpuDriver (*find)(), const MayBeUsed& may_be_used,
                      std::chrono::milliseconds limit = longest_answer);

}  // namespace octavo
