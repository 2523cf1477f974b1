// From the name of a device to what an engine needs to run on it.

#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "device/gpu.h"
#include "octavo/device.h"

namespace octavo {

enum class DeviceKind { reference, cpu, gpu };

struct FoundDevice {
  DeviceKind kind;
  std::string name;  ///< never "auto"
};

/// The device that `name` means here: "auto" is the best there is. Throws Error(device_unavailable) naming the known
/// ones, or why there are none of its kind.
FoundDevice find_device(const std::string& name);

/// Opens a device that was found to be a GPU; `memory_limit` as for open_cuda_gpu(). Throws Error(device_unavailable).
std::shared_ptr<Gpu> open_gpu(const std::string& name, std::size_t memory_limit);

}  // namespace octavo
