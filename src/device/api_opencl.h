// OpenCL 1.2 as Octavo calls it: the functions of the loader, found at run time and never linked; its errors as
// octavo::Error; its objects as handles that release themselves.

#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <memory>
#include <string>
#include <type_traits>

#include "device/shared_library.h"

namespace octavo {

class OpenClApi {
  SharedLibrary library_;  // before the functions, which come out of it

  template <class Function>
  Function* find(const char* name) const {
    return library_.function<Function>(name);
  }

 public:
  /// Throws Error(device_unavailable) where there is no loader, or one without these functions.
  OpenClApi();

// One line for each: the member has the name and the type of the function.
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

/// "CL_OUT_OF_RESOURCES"; a number where it has no name here.
std::string opencl_error_name(cl_int status);

/// Throws Error(device_unavailable) naming the call and its error, unless it succeeded.
void check_opencl(cl_int status, const char* call);
/// The same, but want of memory, which drivers often notice only now, is Error(out_of_memory).
void check_opencl_enqueue(cl_int status, const char* call);

/// An object of OpenCL and the function that releases it.
template <class T>
using OpenClHandle = std::unique_ptr<std::remove_pointer_t<T>, cl_int (*)(T)>;

}  // namespace octavo
