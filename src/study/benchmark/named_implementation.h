#pragma once

// The implementations of `octavo bench report`: Octavo on one of its devices, or OpenCV.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/core/internal_api.h"
#include "octavo/detectors.h"
#include "octavo/device.h"
#include "study/benchmark/benchmark.h"

namespace OCTAVO_INTERNAL_API octavo {

/// The work of all implementations.
struct ImplementationWork {
  DetectorOptions detector;
  /// The implementations keep as many of the strongest points as they are asked for, whatever their contrast. Otherwise
  /// they keep so many at most.
  bool exact = false;
};

/// The device of a name, whose suffix "@N" sets the number of threads (1…1024), with the other options of `others`.
/// Throws Error(invalid_option), which names the option `devices`.
DeviceOptions device_named(const std::string& name, const DeviceOptions& others);

/// Throws Error(invalid_option), which names the option `devices` and this one.
[[noreturn]] void refuse_device(const std::string& name, const std::string& why);

/// The options of the detector that give this number of points; 0: all.
DetectorOptions with_points(const ImplementationWork& work, int points);

struct Implementations {
  std::vector<std::unique_ptr<BenchmarkImplementation>> all;
  std::vector<ImplementationFacts> facts;      ///< of each
  std::vector<AbsentImplementation> absent{};  ///< those that cannot do the work
};

/// Makes the implementations of these names, each once. A name is that of a device of Octavo, or "opencv". A suffix
/// "@N" sets the number of threads (1…1024); without it every core is used. Without names they are devices_to_compare()
/// and, unless it lacks the detector or an option, OpenCV on one thread and on all. `device` are the other options of
/// Octavo; its progress is told the names. Throws Error(invalid_option), also for a detector or an option that a named
/// OpenCV lacks, Error(device_unavailable).
Implementations implementations_of(std::span<const std::string> names, const ImplementationWork& work,
                                   const DeviceOptions& device);

}  // namespace octavo
