// Builds kernels for an OpenCL device, or reads what an earlier process built from the folder
// ${XDG_CACHE_HOME:-~/.cache}/octavo/opencl. A driver's compiler needs seconds, its binary milliseconds. The cache only
// saves time: a broken entry, or one that the driver refuses, is built and written again. Without a writable cache
// every process builds. A module that is not to be kept is always built.

#pragma once

#include "engine/device/api_opencl.h"
#include "engine/device/devices_opencl.h"
#include "engine/device/gpu.h"

namespace octavo {

/// Tells `progress` when the driver compiles. Throws Error(out_of_memory), or Error(device_unavailable) with the first
/// lines of the compiler's log.
OpenClHandle<cl_program> build_opencl_program(const OpenClApi& api, cl_context context, const OpenClDevice& device,
                                              const KernelModule& module, const ProgressSink& progress);

}  // namespace octavo
