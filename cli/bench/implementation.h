#pragma once

// The implementations of `octavo bench report`: Octavo on one of its devices, or OpenCV.

#include <memory>
#include <string>

#include "octavo/detectors.h"
#include "octavo/device.h"
#include "study/benchmark/benchmark.h"

namespace octavo::cli {

/// The work of all implementations.
struct ImplementationWork {
  DetectorOptions detector;
  /// The implementations keep as many of the strongest points as they are asked for, whatever their contrast. Otherwise
  /// they keep so many at most.
  bool exact = false;
};

/// The options of the detector that give this number of points; 0: all.
DetectorOptions with_points(const ImplementationWork& work, int points);

/// Makes the implementation of this name. `name` is the name of a device of Octavo, or "opencv". A suffix "@N" sets the
/// number of threads (1…1024); without it every core is used. `device` are the other options of Octavo. Throws
/// Error(invalid_option), also for a detector or an option that OpenCV lacks, Error(device_unavailable).
std::unique_ptr<BenchmarkImplementation> make_implementation(const std::string& name, const ImplementationWork& work,
                                                             const DeviceOptions& device);

}  // namespace octavo::cli
