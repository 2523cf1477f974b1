// The part of NVIDIA's driver API that Octavo calls. The driver is opened at run time: building needs no toolkit, and
// starting the program needs no GPU. Members have the names of the driver's manual without "cu".

#pragma once

#include <cstddef>
#include <string>

#include "engine/core/internal_api.h"
#include "engine/device/shared_library.h"

namespace OCTAVO_INTERNAL_API octavo {

// Types of the driver. Handles are opaque. The enumerations are C enumerations, so they are ints.
using CudaResult = int;
using CudaDevice = int;
using CudaAddress = unsigned long long;
using CudaContext = struct CudaContextOpaque*;
using CudaModule = struct CudaModuleOpaque*;
using CudaFunction = struct CudaFunctionOpaque*;
using CudaStream = struct CudaStreamOpaque*;
using CudaEvent = struct CudaEventOpaque*;
using CudaGraph = struct CudaGraphOpaque*;
using CudaGraphExec = struct CudaGraphExecOpaque*;

constexpr CudaResult cuda_success = 0;
constexpr CudaResult cuda_out_of_memory = 2;
// Kinds of memory.
constexpr unsigned cuda_memory_of_host = 1;
constexpr unsigned cuda_memory_of_device = 2;
// Attributes of an address.
constexpr int cuda_pointer_memory_kind = 2;
constexpr int cuda_pointer_device = 9;
// Attributes of a device.
constexpr int cuda_multiprocessor_count = 16;
constexpr int cuda_threads_of_multiprocessor = 39;
constexpr int cuda_capability_major = 75;
constexpr int cuda_capability_minor = 76;
// An attribute of a function.
constexpr int cuda_function_virtual_architecture = 5;
// An attribute of a launch: "programmatic stream serialization".
constexpr int cuda_launch_early = 6;
// Options of loading a module.
constexpr int cuda_jit_error_log_buffer = 5;
constexpr int cuda_jit_error_log_bytes = 6;
// The stream does not wait for the default stream.
constexpr unsigned cuda_stream_non_blocking = 1;
constexpr int cuda_capture_mode_relaxed = 2;

/// With the layout of cuda.h.
struct CudaLaunchAttribute {
  int id;
  int padding;
  int value[16];
};
struct CudaLaunch {
  unsigned groups[3], threads[3];
  unsigned shared_bytes;
  CudaStream stream;
  CudaLaunchAttribute* attributes;
  unsigned attribute_count;
};

/// A copy of rows, CUDA_MEMCPY2D_v2.
struct CudaCopy2D {
  std::size_t from_x, from_y;
  unsigned from_kind;
  const void* from_host;
  CudaAddress from_device;
  void* from_array;
  std::size_t from_pitch;
  std::size_t to_x, to_y;
  unsigned to_kind;
  void* to_host;
  CudaAddress to_device;
  void* to_array;
  std::size_t to_pitch;
  std::size_t row_bytes, rows;
};

class CudaApi {
 public:
  /// Throws Error(device_unavailable) if there is no driver or it is too old.
  CudaApi();

  /// The name and text that the driver gives to the error: "CUDA_ERROR_OUT_OF_MEMORY (out of memory)".
  [[nodiscard]] std::string describe(CudaResult error) const;

  CudaResult (*GetErrorName)(CudaResult error, const char** text);
  CudaResult (*GetErrorString)(CudaResult error, const char** text);

  CudaResult (*Init)(unsigned flags);
  CudaResult (*DriverGetVersion)(int* version);
  CudaResult (*DeviceGetCount)(int* count);
  CudaResult (*DeviceGet)(CudaDevice* device, int index);
  CudaResult (*DeviceGetName)(char* name, int bytes, CudaDevice device);
  CudaResult (*DeviceTotalMem)(std::size_t* bytes, CudaDevice device);
  CudaResult (*DeviceGetAttribute)(int* value, int attribute, CudaDevice device);
  CudaResult (*DevicePrimaryCtxRetain)(CudaContext* context, CudaDevice device);
  CudaResult (*DevicePrimaryCtxRelease)(CudaDevice device);
  CudaResult (*CtxPushCurrent)(CudaContext context);
  CudaResult (*CtxPopCurrent)(CudaContext* context);

  CudaResult (*ModuleLoadDataEx)(CudaModule* module, const void* image, unsigned options, int* names, void** values);
  CudaResult (*ModuleGetFunction)(CudaFunction* function, CudaModule module, const char* name);
  CudaResult (*ModuleUnload)(CudaModule module);
  CudaResult (*FuncGetAttribute)(int* value, int attribute, CudaFunction function);
  CudaResult (*OccupancyMaxActiveBlocksPerMultiprocessor)(int* groups, CudaFunction function, int threads,
                                                          std::size_t shared_bytes);
  CudaResult (*LaunchKernelEx)(const CudaLaunch* launch, CudaFunction function, void** arguments, void** extra);

  CudaResult (*MemAlloc)(CudaAddress* address, std::size_t bytes);
  CudaResult (*MemFree)(CudaAddress address);
  CudaResult (*MemGetInfo)(std::size_t* free, std::size_t* total);
  CudaResult (*MemHostAlloc)(void** memory, std::size_t bytes, unsigned flags);
  CudaResult (*MemFreeHost)(void* memory);
  CudaResult (*MemcpyHtoDAsync)(CudaAddress to, const void* from, std::size_t bytes, CudaStream stream);
  CudaResult (*MemcpyDtoHAsync)(void* to, CudaAddress from, std::size_t bytes, CudaStream stream);
  CudaResult (*MemcpyDtoDAsync)(CudaAddress to, CudaAddress from, std::size_t bytes, CudaStream stream);
  CudaResult (*Memcpy2DAsync)(const CudaCopy2D* copy, CudaStream stream);
  CudaResult (*PointerGetAttributes)(unsigned count, int* attributes, void** values, CudaAddress address);
  CudaResult (*MemsetD32Async)(CudaAddress to, unsigned value, std::size_t count, CudaStream stream);

  CudaResult (*CtxGetStreamPriorityRange)(int* least, int* greatest);
  CudaResult (*StreamCreateWithPriority)(CudaStream* stream, unsigned flags, int priority);
  CudaResult (*StreamDestroy)(CudaStream stream);
  CudaResult (*CtxSynchronize)();
  CudaResult (*StreamSynchronize)(CudaStream stream);
  CudaResult (*StreamWaitEvent)(CudaStream stream, CudaEvent event, unsigned flags);
  CudaResult (*StreamBeginCapture)(CudaStream stream, int mode);
  CudaResult (*StreamEndCapture)(CudaStream stream, CudaGraph* graph);
  CudaResult (*GraphInstantiateWithFlags)(CudaGraphExec* exec, CudaGraph graph, unsigned long long flags);
  CudaResult (*GraphLaunch)(CudaGraphExec exec, CudaStream stream);
  CudaResult (*GraphDestroy)(CudaGraph graph);
  CudaResult (*GraphExecDestroy)(CudaGraphExec exec);

  CudaResult (*EventCreate)(CudaEvent* event, unsigned flags);
  CudaResult (*EventRecord)(CudaEvent event, CudaStream stream);
  CudaResult (*EventSynchronize)(CudaEvent event);
  CudaResult (*EventElapsedTime)(float* milliseconds, CudaEvent from, CudaEvent to);
  CudaResult (*EventDestroy)(CudaEvent event);

 private:
  SharedLibrary library_;
};

}  // namespace octavo
