#pragma once

// The contenders of `octavo bench report`: Octavo on one of its devices, or the OpenCV of this machine's Python.

#include <memory>
#include <string>

#include "octavo/benchmark.h"
#include "octavo/device.h"
#include "octavo/sift_options.h"

namespace octavo::cli {

/// Makes the contender of this name. `name` is the name of a device of Octavo, or "opencv". A suffix "@N" sets the
/// number of threads (1…1024); without it every core is used. `sift` are the options of both (OpenCV uses those that it
/// has). `device` are the other options of Octavo. `python` is the interpreter that has cv2. Throws
/// CLI::ValidationError for a malformed name, Error(invalid_option), Error(device_unavailable), or PythonFailure.
std::unique_ptr<BenchmarkContender> make_contender(const std::string& name, const SiftOptions& sift,
                                                   const DeviceOptions& device, const std::string& python);

}  // namespace octavo::cli
