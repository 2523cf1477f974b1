// Replaces gpu_opencl.cc if the build has no OpenCL headers.

#include "engine/device/gpu.h"

namespace octavo {

GpuDriver find_opencl_gpus() { return {{}, "this build of Octavo is without OpenCL: CL/cl.h was not found"}; }

}  // namespace octavo
