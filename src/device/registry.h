// From the name of a device to what an engine needs to run on it.

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "device/gpu.h"
#include "octavo/device.h"

namespace octavo {

enum class DeviceKind { reference, cpu, gpu };

struct FoundDevice {
  DeviceKind kind;
  std::string name;  ///< never "auto"
};

/// The devices that `name` means here, at least one: "auto" is the best there is; several GPUs stand between commas,
/// and "cuda:all" is every conformant one of that driver. A GPU named twice is there twice. Throws
/// Error(device_unavailable) naming the known ones, or why there are none of that kind.
std::vector<FoundDevice> find_devices(const std::string& name);

/// The first of them, for work that is done on one.
FoundDevice find_device(const std::string& name);

/// Opens a device that was found to be a GPU; `memory_limit` as for open_cuda_gpu(). Throws Error(device_unavailable).
std::shared_ptr<Gpu> open_gpu(const std::string& name, std::size_t memory_limit);

}  // namespace octavo
