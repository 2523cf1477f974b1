#pragma once

#include <string>
#include <vector>

namespace octavo {

/// Where work runs. Every device gives the same bytes.
struct DeviceOptions {
  /// "auto", "cpu" (vectors and threads) or "reference" (plain scalar loops: the executable specification, slow).
  std::string name = "auto";
  /// CPU threads, 1…1024; 0 uses the TBB arena of the caller, by default every core.
  int threads = 0;
  /// The CPU's instruction set: "auto" (the best there is), or one of `Device::isas`.
  std::string isa = "auto";
};

/// A device of this machine.
struct Device {
  std::string name;         ///< what DeviceOptions::name takes
  std::string kind;         ///< "cpu" or "reference"
  std::string description;  ///< for people: cores, instruction set
  std::vector<std::string>
      isas;  ///< the instruction sets it can be told to use, best first; empty where there is no choice
};

/// The devices of this machine, best first. Never throws for missing hardware.
std::vector<Device> list_devices();

}  // namespace octavo
