#include "tests/conformance/faulty_driver.h"

#include <atomic>
#include <string_view>
#include <tuple>

#include "engine/device/api_cuda.h"
#if __has_include(<CL/cl.h>)
#include "engine/device/api_opencl.h"
#endif

// The names that the linker gives to the wrapper and to the function of the system.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" void* __real_dlsym(void* handle, const char* name);
extern "C" void* __wrap_dlsym(void* handle, const char* name);
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace octavo::faulty_driver {
namespace {

// What waits fails when the work before it is done: a device that is lost works on nothing any more.
enum class Call { takes_memory, works, waits };

struct {
  std::atomic<bool> on = false;
  Fault kind = Fault::no_memory;
  int due = 0;
  std::atomic<int> calls = 0;
} fault;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): the driver of a process is one

std::string& hidden() {
  static std::string name;
  return name;
}

bool fails(Call call) {
  if (!fault.on || (fault.kind == Fault::no_memory && call != Call::takes_memory)) return false;
  const int number = ++fault.calls;
  return fault.kind == Fault::lost ? number >= fault.due : number == fault.due;
}

// The errors of the drivers: CUDA_ERROR_OUT_OF_MEMORY and CUDA_ERROR_ILLEGAL_ADDRESS,
// CL_MEM_OBJECT_ALLOCATION_FAILURE and CL_DEVICE_NOT_AVAILABLE.
int cuda_error() { return fault.kind == Fault::no_memory ? 2 : 700; }
int opencl_error() { return fault.kind == Fault::no_memory ? -4 : -2; }

// A function of a driver with its replacement. `number` tells functions of one signature apart.
template <int number, class Function>
struct Replaced;

template <int number, class Result, class... Arguments>
struct Replaced<number, Result (*)(Arguments...)> {
  static inline Result (*real)(Arguments...) = nullptr;
  static inline Call kind{};
  static inline int (*error)() = nullptr;

  static Result call(Arguments... arguments) {
    if (!fails(kind)) return real(arguments...);
    if constexpr (std::is_pointer_v<Result>) {  // OpenCL: the last argument takes the error
      *std::get<sizeof...(Arguments) - 1>(std::tuple(arguments...)) = error();
      return nullptr;
    } else {
      if (kind == Call::waits) real(arguments...);
      return error();
    }
  }
};

struct Entry {
  std::string_view name;
  void* replacement;
  void (*keep)(void* real);
};

template <int number, class Function>
Entry entry(std::string_view name, Call kind, int (*error)()) {
  using R = Replaced<number, Function>;
  R::kind = kind;
  R::error = error;
  return {name, reinterpret_cast<void*>(&R::call), [](void* real) { R::real = reinterpret_cast<Function>(real); }};
}

#define OCTAVO_CUDA(name, member, kind) entry<__LINE__, decltype(CudaApi::member)>(name, kind, cuda_error)
#define OCTAVO_OPENCL(name, kind) entry<__LINE__, decltype(&::name)>(#name, kind, opencl_error)

const Entry* find(std::string_view name) {
  static const Entry entries[] = {
    OCTAVO_CUDA("cuDevicePrimaryCtxRetain", DevicePrimaryCtxRetain, Call::takes_memory),
    OCTAVO_CUDA("cuModuleLoadDataEx", ModuleLoadDataEx, Call::takes_memory),
    OCTAVO_CUDA("cuMemAlloc_v2", MemAlloc, Call::takes_memory),
    OCTAVO_CUDA("cuMemHostAlloc", MemHostAlloc, Call::takes_memory),
    OCTAVO_CUDA("cuStreamCreateWithPriority", StreamCreateWithPriority, Call::takes_memory),
    OCTAVO_CUDA("cuGraphInstantiateWithFlags", GraphInstantiateWithFlags, Call::takes_memory),
    OCTAVO_CUDA("cuEventCreate", EventCreate, Call::takes_memory),
    OCTAVO_CUDA("cuLaunchKernelEx", LaunchKernelEx, Call::works),
    OCTAVO_CUDA("cuMemcpyHtoDAsync_v2", MemcpyHtoDAsync, Call::works),
    OCTAVO_CUDA("cuMemcpyDtoHAsync_v2", MemcpyDtoHAsync, Call::works),
    OCTAVO_CUDA("cuMemcpyDtoDAsync_v2", MemcpyDtoDAsync, Call::works),
    OCTAVO_CUDA("cuMemsetD32Async", MemsetD32Async, Call::works),
    OCTAVO_CUDA("cuGraphLaunch", GraphLaunch, Call::works),
    OCTAVO_CUDA("cuStreamSynchronize", StreamSynchronize, Call::waits),
    OCTAVO_CUDA("cuStreamWaitEvent", StreamWaitEvent, Call::works),
    OCTAVO_CUDA("cuEventRecord", EventRecord, Call::works),
    OCTAVO_CUDA("cuEventSynchronize", EventSynchronize, Call::waits),
#if __has_include(<CL/cl.h>)
    OCTAVO_OPENCL(clCreateContext, Call::takes_memory),
    OCTAVO_OPENCL(clCreateCommandQueue, Call::takes_memory),
    OCTAVO_OPENCL(clCreateBuffer, Call::takes_memory),
    OCTAVO_OPENCL(clCreateProgramWithSource, Call::takes_memory),
    OCTAVO_OPENCL(clCreateProgramWithBinary, Call::takes_memory),
    OCTAVO_OPENCL(clBuildProgram, Call::takes_memory),
    OCTAVO_OPENCL(clCreateKernel, Call::takes_memory),
    OCTAVO_OPENCL(clEnqueueMapBuffer, Call::takes_memory),
    OCTAVO_OPENCL(clEnqueueNDRangeKernel, Call::works),
    OCTAVO_OPENCL(clEnqueueReadBuffer, Call::works),
    OCTAVO_OPENCL(clEnqueueWriteBuffer, Call::works),
    OCTAVO_OPENCL(clEnqueueCopyBuffer, Call::works),
    OCTAVO_OPENCL(clEnqueueFillBuffer, Call::works),
    OCTAVO_OPENCL(clEnqueueMarkerWithWaitList, Call::works),
    OCTAVO_OPENCL(clEnqueueBarrierWithWaitList, Call::works),
    OCTAVO_OPENCL(clWaitForEvents, Call::waits),
    OCTAVO_OPENCL(clFlush, Call::works),
    OCTAVO_OPENCL(clFinish, Call::waits),
#endif
  };
  for (const Entry& one : entries) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

}  // namespace

void begin(Fault kind, int call) {
  fault.kind = kind;
  fault.due = call;
  fault.calls = 0;
  fault.on = true;
}

bool end() {
  fault.on = false;
  return fault.calls >= fault.due;
}

Without::Without(const std::string& function) { hidden() = function; }
Without::~Without() { hidden().clear(); }

}  // namespace octavo::faulty_driver

void* __wrap_dlsym(void* handle, const char* name) {
  using namespace octavo::faulty_driver;
  if (hidden() == name) return nullptr;
  void* const real = __real_dlsym(handle, name);
  const Entry* const replaced = real == nullptr ? nullptr : find(name);
  if (replaced == nullptr) return real;
  replaced->keep(real);
  return replaced->replacement;
}
