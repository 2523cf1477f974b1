#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/option_table.h"
#include "octavo/progress.h"

// Devices: which there are, where work runs, and the memory that it takes there.

namespace OCTAVO_API octavo {

/// The time of one stage of a piece of work. Stages do not overlap.
struct StageTime {
  /// The stages of an extraction are "scale space and extrema", "orientation", "descriptor" …; on a GPU also "upload",
  /// "order", "selection", "download".
  std::string stage;
  double milliseconds = 0;  ///< [ms] wall time on the CPU; the device's own clock on a GPU
};

/// Where the work runs. Every device gives the same bytes.
struct DeviceOptions {
  /// "cpu" (vectors and threads), "reference" (plain scalar loops: the executable specification, slow), a GPU
  /// ("cuda:0", "opencl:0"), or "auto": the first conformant GPU, CUDA before OpenCL, otherwise "cpu". An extractor can
  /// use several GPUs, separated by commas ("cuda:0,cuda:1"). "cuda:all" and "opencl:all" are all conformant GPUs of
  /// that driver; OpenCL devices that are CPUs count only if the driver has no others. A GPU that is named twice works
  /// as two devices, each with its own queues and buffers. A matcher uses the first device. The self-test accepts one
  /// device only.
  std::string name = "auto";
  /// The number of CPU threads. 0 uses the TBB arena of the caller, which by default has every core. On a GPU these
  /// threads copy the images to the device.
  int threads = 0;
  /// The CPU's instruction set: "auto" (the best available), or one of `Device::isas`.
  std::string isa = "auto";
  /// [byte] The limit on the total size of the buffers on a GPU, for each GPU separately; 0: all of its memory.
  std::size_t gpu_memory = 0;
  /// Is told what the object that is made with these options does: the search for GPUs, the building of kernels, and
  /// the stages of each image, filter or match on the CPU; a GPU does them all at once. The reference tells nothing.
  /// Not in the table of options.
  ProgressSink progress = {};
};

/// Name, kind, range, unit and meaning of every option. In the table `name` is called "device".
template <>
const OptionTable<DeviceOptions>& option_table<DeviceOptions>();

/// Throws Error(invalid_option) for threads or memory out of range. It does not check whether the device and the
/// instruction set exist.
void validate(const DeviceOptions& options);

/// A device of this machine.
struct Device {
  std::string name;         ///< for DeviceOptions::name
  std::string kind;         ///< "cpu", "reference", "cuda" or "opencl"
  std::string description;  ///< for people: the number of cores or the product, and the driver
  /// The instruction sets that can be selected, best first. Empty if there is no choice.
  std::vector<std::string> isas;
  /// Gives the same bytes as every other conformant device. One that does not is used only if it is named, and not even
  /// then if its compiler makes code that crashes or confuses memory.
  bool conformant = true;
  std::string note;  ///< why "auto" never selects it; empty if "auto" may select it
};

/// The instruction sets of the device "cpu" on this machine, best first, as list_devices gives them. No driver of a GPU
/// is asked, so this is quick.
std::vector<std::string> list_isas();

/// A GPU driver that offers no device on this machine.
struct MissingDriver {
  std::string driver;  ///< "CUDA" or "OpenCL"
  std::string reason;  ///< for people
};

/// What this machine has.
struct DeviceSurvey {
  std::vector<Device> devices;         ///< best first; at least "cpu" and "reference"
  std::vector<MissingDriver> missing;  ///< the GPU drivers that offer no device
};

/// Looks for the devices of this machine. Missing hardware is not an error, nor is a driver that crashes or does not
/// answer within 20 s: the drivers are asked in a child process (fork), unless this process uses a GPU already. "auto"
/// asks OpenCL in this way too, if there is no GPU with CUDA. `wait` without a process number may see that child. The
/// compiler of each OpenCL device is probed likewise, once on a machine (docs/numerics.md).
DeviceSurvey survey_devices();

/// The devices of survey_devices().
std::vector<Device> list_devices();

/// The missing drivers of survey_devices().
std::vector<MissingDriver> missing_drivers();

/// Numbers of bytes in the two kinds of memory. On a device that is not a GPU `device` is 0.
struct MemoryBytes {
  std::uint64_t host = 0;    ///< memory of the process, including pinned memory
  std::uint64_t device = 0;  ///< buffers in the memory of the GPU

  /// Adds both numbers.
  MemoryBytes& operator+=(const MemoryBytes& more) {
    host += more.host;
    device += more.device;
    return *this;
  }
  friend MemoryBytes operator+(MemoryBytes a, const MemoryBytes& b) { return a += b; }
  friend bool operator==(const MemoryBytes&, const MemoryBytes&) = default;
};

/// The memory that an operation takes at its peak. The caller's images, the program and the driver of a GPU (a CUDA
/// context takes some hundred MiB of both kinds) are not part of it.
struct MemoryNeed {
  /// The buffers whose sizes follow from the size of the input and the options. Every input takes at least this.
  MemoryBytes least;
  /// With the scratch memory of all threads and the lists of a usual input: for images, one keypoint for every 600
  /// pixels of the first octave (FOAGDD: one corner for every 300 pixels). Noise has more keypoints and takes more.
  MemoryBytes usual;
  std::uint64_t largest_buffer = 0;  ///< [byte] of one buffer of the GPU

  /// What both take at once; the larger of both largest buffers.
  MemoryNeed& operator+=(const MemoryNeed& more) {
    least += more.least;
    usual += more.usual;
    largest_buffer = std::max(largest_buffer, more.largest_buffer);
    return *this;
  }
  friend MemoryNeed operator+(MemoryNeed a, const MemoryNeed& b) { return a += b; }
};

/// Memory that can be taken now.
struct AvailableMemory {
  std::uint64_t bytes = 0;  ///< 2^64 − 1 where nothing is known
  /// What limits it, for people: "memory of the machine", "limit of the cgroup /jobs/7" …
  std::string limit;
};

/// The host's memory that this process can take now: what the machine has free or can free without a loss, and swap
/// space, within the limits of the cgroups (versions 1 and 2) that contain the process, and within RLIMIT_AS and
/// RLIMIT_DATA. Where the system tells nothing (not Linux), the number is the greatest possible.
AvailableMemory available_host_memory();

/// The memory of an operation on one device: an extraction, a filter, the matching of two sets, an inspection.
struct MemoryEstimate {
  std::string device;              ///< "cpu", "cuda:0" …
  int octaves = 0;                 ///< of the scale space; 0 if there is none, and for tiny images
  MemoryNeed need;                 ///< for one image at a time
  MemoryBytes each_further;        ///< for each further image in flight, as in MemoryNeed::usual
  int in_flight = 1;               ///< the number of images in flight that keeps the device busy
  AvailableMemory host;            ///< the host's memory that can be taken now
  AvailableMemory on_device;       ///< the device's; 0 if it is not a GPU
  std::uint64_t buffer_limit = 0;  ///< [byte] the greatest buffer that the GPU gives; 0 if it is not a GPU
  bool shares_memory = false;      ///< the GPU is the CPU (PoCL): its buffers take the host's memory

  /// The host's memory for one image at a time as in MemoryNeed::usual, with the device's if both are the same.
  [[nodiscard]] std::uint64_t usual_host_bytes() const {
    return need.usual.host + (shares_memory ? need.usual.device : 0);
  }
  /// True if one image at a time has room.
  [[nodiscard]] bool fits() const {
    return usual_host_bytes() <= host.bytes && need.usual.device <= on_device.bytes &&
           need.largest_buffer <= buffer_limit;
  }
};

}  // namespace octavo
