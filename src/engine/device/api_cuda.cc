#include "engine/device/api_cuda.h"

namespace octavo {

CudaApi::CudaApi() : library_(cuda_library()) {
  const auto load = [&]<class Function>(Function*& member, const char* name) {
    member = library_.function<Function>(name);
  };
  load(GetErrorName, "cuGetErrorName");
  load(GetErrorString, "cuGetErrorString");
  load(Init, "cuInit");
  load(DriverGetVersion, "cuDriverGetVersion");
  load(DeviceGetCount, "cuDeviceGetCount");
  load(DeviceGet, "cuDeviceGet");
  load(DeviceGetName, "cuDeviceGetName");
  load(DeviceTotalMem, "cuDeviceTotalMem_v2");
  load(DeviceGetAttribute, "cuDeviceGetAttribute");
  load(DevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
  load(DevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2");
  load(CtxPushCurrent, "cuCtxPushCurrent_v2");
  load(CtxPopCurrent, "cuCtxPopCurrent_v2");
  load(ModuleLoadDataEx, "cuModuleLoadDataEx");
  load(ModuleGetFunction, "cuModuleGetFunction");
  load(ModuleUnload, "cuModuleUnload");
  load(FuncGetAttribute, "cuFuncGetAttribute");
  load(OccupancyMaxActiveBlocksPerMultiprocessor, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  load(LaunchKernelEx, "cuLaunchKernelEx");
  load(MemAlloc, "cuMemAlloc_v2");
  load(MemFree, "cuMemFree_v2");
  load(MemGetInfo, "cuMemGetInfo_v2");
  load(MemHostAlloc, "cuMemHostAlloc");
  load(MemFreeHost, "cuMemFreeHost");
  load(MemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2");
  load(MemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2");
  load(MemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2");
  load(Memcpy2DAsync, "cuMemcpy2DAsync_v2");
  load(PointerGetAttributes, "cuPointerGetAttributes");
  load(MemsetD32Async, "cuMemsetD32Async");
  load(CtxGetStreamPriorityRange, "cuCtxGetStreamPriorityRange");
  load(StreamCreateWithPriority, "cuStreamCreateWithPriority");
  load(StreamDestroy, "cuStreamDestroy_v2");
  load(CtxSynchronize, "cuCtxSynchronize");
  load(StreamSynchronize, "cuStreamSynchronize");
  load(StreamWaitEvent, "cuStreamWaitEvent");
  load(StreamBeginCapture, "cuStreamBeginCapture_v2");
  load(StreamEndCapture, "cuStreamEndCapture");
  load(GraphInstantiateWithFlags, "cuGraphInstantiateWithFlags");
  load(GraphLaunch, "cuGraphLaunch");
  load(GraphDestroy, "cuGraphDestroy");
  load(GraphExecDestroy, "cuGraphExecDestroy");
  load(EventCreate, "cuEventCreate");
  load(EventRecord, "cuEventRecord");
  load(EventSynchronize, "cuEventSynchronize");
  load(EventElapsedTime, "cuEventElapsedTime");
  load(EventDestroy, "cuEventDestroy_v2");
}

std::string CudaApi::describe(CudaResult error) const {
  const char* name = nullptr;
  const char* text = nullptr;
  if (GetErrorName(error, &name) != cuda_success || name == nullptr) return "CUDA error " + std::to_string(error);
  if (GetErrorString(error, &text) != cuda_success || text == nullptr) return name;
  return std::string(name) + " (" + text + ")";
}

}  // namespace octavo
