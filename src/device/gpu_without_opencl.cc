// Stands in for gpu_opencl.cc where the build had no OpenCL headers.

#include "device/gpu.h"
#include "octavo/error.h"

namespace octavo {
namespace {

constexpr char why[] = "this build of Octavo is without OpenCL: CL/cl.h was not found";

}  // namespace

GpuDriver find_opencl_gpus() { return {{}, why}; }

std::shared_ptr<Gpu> open_opencl_gpu(int, std::size_t) { throw Error(ErrorCode::device_unavailable, why); }

}  // namespace octavo
