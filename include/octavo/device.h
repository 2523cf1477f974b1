#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace octavo {

/// Where work runs. Every device gives the same bytes.
struct DeviceOptions {
  /// "cpu" (vectors and threads), "reference" (plain scalar loops: the executable specification, slow), a GPU
  /// ("cuda:0", "opencl:0"), or "auto": the first conformant GPU, CUDA before OpenCL, otherwise "cpu". Several GPUs for
  /// one extractor stand between commas ("cuda:0,cuda:1"); "cuda:all" and "opencl:all" are the conformant ones of that
  /// driver, real ones where there are any. A GPU named twice works as two, with queues and buffers of their own. A
  /// matcher takes the first; the self-test refuses more than one.
  std::string name = "auto";
  /// CPU threads, 1…1024; 0 uses the TBB arena of the caller, by default every core. Where a GPU computes they bring it
  /// the images.
  int threads = 0;
  /// The CPU's instruction set: "auto" (the best there is), or one of `Device::isas`.
  std::string isa = "auto";
  std::size_t gpu_memory = 0;  ///< [byte] that a GPU's buffers may take together, each one's; 0: all it has
};

/// A device of this machine.
struct Device {
  std::string name;         ///< what DeviceOptions::name takes
  std::string kind;         ///< "cpu", "reference", "cuda" or "opencl"
  std::string description;  ///< for people: cores or product, driver
  std::vector<std::string>
      isas;                ///< the instruction sets it can be told to use, best first; empty where there is no choice
  bool conformant = true;  ///< gives the same bytes as every other conformant device
  std::string note;        ///< why it is never chosen automatically, empty otherwise
};

/// The devices of this machine, best first. Never throws for missing hardware.
std::vector<Device> list_devices();

/// A way to GPUs that offers none on this machine.
struct MissingDriver {
  std::string driver;  ///< "CUDA" or "OpenCL"
  std::string reason;  ///< for people
};

/// Those of this machine. Never throws.
std::vector<MissingDriver> missing_drivers();

}  // namespace octavo
