// The OpenCL devices of a machine, of all platforms, and the properties of each.

#pragma once

#include <vector>

#include "engine/device/api_opencl.h"
#include "engine/device/gpu.h"

namespace octavo {

struct OpenClDevice {
  cl_platform_id platform;
  cl_device_id device;
  GpuFacts facts;
  std::string build_options;  ///< for kernels that keep the contract of docs/numerics.md
};

/// The devices in the order of the platforms; empty if there are none. A platform or device that does not answer is
/// left out.
std::vector<OpenClDevice> list_opencl_devices(const OpenClApi& api);

}  // namespace octavo
