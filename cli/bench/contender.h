#pragma once

// The contenders of `octavo bench report`: Octavo on one of its devices, or OpenCV.

#include <memory>
#include <string>

#include "octavo/benchmark.h"
#include "octavo/device.h"
#include "octavo/sift_options.h"

namespace octavo::cli {

/// Makes the contender of this name. `name` is the name of a device of Octavo, or "opencv". A suffix "@N" sets the
/// number of threads (1…1024); without it every core is used. `sift` are the options of both. `device` are the other
/// options of Octavo. Throws Error(invalid_option), also for an option that
/// OpenCV lacks, Error(device_unavailable).
std::unique_ptr<BenchmarkContender> make_contender(const std::string& name, const SiftOptions& sift,
                                                   const DeviceOptions& device);

}  // namespace octavo::cli
