#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "octavo/api.h"

namespace OCTAVO_API octavo {

/// Numbers of bytes in the two kinds of memory. On a device that is not a GPU `device` is 0.
struct MemoryBytes {
  std::uint64_t host = 0;    ///< memory of the process, including pinned memory
  std::uint64_t device = 0;  ///< buffers in the memory of the GPU

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
  std::uint64_t bytes = 0;
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
