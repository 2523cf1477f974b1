// The OpenCL 1.2 that Octavo calls: functions of the loader, found at run time and never linked; errors as
// octavo::Error; objects as handles that release themselves.

#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <memory>
#include <string>
#include <type_traits>

#include "engine/device/shared_library.h"

namespace octavo {

class OpenClApi {
  // Declared before the functions, which it provides.
  SharedLibrary library_;

  template <class Function>
  Function* find(const char* name) const {
    return library_.function<Function>(name);
  }

 public:
  /// Throws Error(device_unavailable) if there is no loader or it lacks one of these functions.
  OpenClApi();

// One line for each function; the member has the name and the type of the function.
#define OCTAVO_OPENCL(name) decltype(::name)* const name = find<decltype(::name)>(#name)
  OCTAVO_OPENCL(clGetPlatformIDs);
  OCTAVO_OPENCL(clGetPlatformInfo);
  OCTAVO_OPENCL(clGetDeviceIDs);
  OCTAVO_OPENCL(clGetDeviceInfo);
  OCTAVO_OPENCL(clCreateContext);
  OCTAVO_OPENCL(clReleaseContext);
  OCTAVO_OPENCL(clCreateCommandQueue);
  OCTAVO_OPENCL(clReleaseCommandQueue);
  OCTAVO_OPENCL(clCreateBuffer);
  OCTAVO_OPENCL(clReleaseMemObject);
  OCTAVO_OPENCL(clCreateProgramWithSource);
  OCTAVO_OPENCL(clCreateProgramWithBinary);
  OCTAVO_OPENCL(clBuildProgram);
  OCTAVO_OPENCL(clGetProgramInfo);
  OCTAVO_OPENCL(clGetProgramBuildInfo);
  OCTAVO_OPENCL(clReleaseProgram);
  OCTAVO_OPENCL(clCreateKernel);
  OCTAVO_OPENCL(clSetKernelArg);
  OCTAVO_OPENCL(clReleaseKernel);
  OCTAVO_OPENCL(clEnqueueNDRangeKernel);
  OCTAVO_OPENCL(clEnqueueReadBuffer);
  OCTAVO_OPENCL(clEnqueueWriteBuffer);
  OCTAVO_OPENCL(clEnqueueCopyBuffer);
  OCTAVO_OPENCL(clEnqueueFillBuffer);
  OCTAVO_OPENCL(clEnqueueMapBuffer);
  OCTAVO_OPENCL(clEnqueueUnmapMemObject);
  OCTAVO_OPENCL(clEnqueueMarkerWithWaitList);
  OCTAVO_OPENCL(clEnqueueBarrierWithWaitList);
  OCTAVO_OPENCL(clWaitForEvents);
  OCTAVO_OPENCL(clGetEventInfo);
  OCTAVO_OPENCL(clGetEventProfilingInfo);
  OCTAVO_OPENCL(clReleaseEvent);
  OCTAVO_OPENCL(clFlush);
  OCTAVO_OPENCL(clFinish);
#undef OCTAVO_OPENCL
};

/// The name of an error: "CL_OUT_OF_RESOURCES"; its number if it has no name here.
std::string opencl_error_name(cl_int status);

/// Throws Error(device_unavailable), which names the call and its error, unless the call succeeded.
void check_opencl(cl_int status, const char* call);
/// As check_opencl, but lack of memory throws Error(out_of_memory). Drivers often notice it only in a later call.
void check_opencl_enqueue(cl_int status, const char* call);

/// An object of OpenCL with the function that releases it.
template <class T>
using OpenClHandle = std::unique_ptr<std::remove_pointer_t<T>, cl_int (*)(T)>;

}  // namespace octavo
