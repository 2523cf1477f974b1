// A loader of OpenCL (libOpenCL.so.1) with one GPU, which claims to be conformant, and whose compiler crashes.

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <csignal>
#include <cstring>
#include <string>

namespace {

int platform = 0, device = 0, object = 0;

template <class Handle>
Handle handle(int& of) {
  return reinterpret_cast<Handle>(&of);
}

cl_int answer(const void* value, size_t bytes, size_t room, void* to, size_t* size) {
  if (size != nullptr) *size = bytes;
  if (to != nullptr) {
    if (room < bytes) return CL_INVALID_VALUE;
    std::memcpy(to, value, bytes);
  }
  return CL_SUCCESS;
}

cl_int answer(const std::string& text, size_t room, void* to, size_t* size) {
  return answer(text.c_str(), text.size() + 1, room, to, size);
}

}  // namespace

extern "C" {

cl_int clGetPlatformIDs(cl_uint, cl_platform_id* platforms, cl_uint* count) {
  if (count != nullptr) *count = 1;
  if (platforms != nullptr) *platforms = handle<cl_platform_id>(platform);
  return CL_SUCCESS;
}

cl_int clGetPlatformInfo(cl_platform_id, cl_platform_info, size_t room, void* to, size_t* size) {
  return answer("Platform of a test", room, to, size);
}

cl_int clGetDeviceIDs(cl_platform_id, cl_device_type, cl_uint, cl_device_id* devices, cl_uint* count) {
  if (count != nullptr) *count = 1;
  if (devices != nullptr) *devices = handle<cl_device_id>(device);
  return CL_SUCCESS;
}

cl_int clGetDeviceInfo(cl_device_id, cl_device_info what, size_t room, void* to, size_t* size) {
  if (what == CL_DEVICE_NAME || what == CL_DRIVER_VERSION) return answer("Device of a test", room, to, size);
  if (what == CL_DEVICE_VERSION) return answer("OpenCL 1.2 of a test", room, to, size);
  cl_ulong number = 1 << 30;  // of bytes
  if (what == CL_DEVICE_SINGLE_FP_CONFIG) number = ~cl_ulong{0};
  if (what == CL_DEVICE_TYPE) number = CL_DEVICE_TYPE_GPU;
  if (what == CL_DEVICE_AVAILABLE || what == CL_DEVICE_COMPILER_AVAILABLE) number = CL_TRUE;
  return answer(&number, room, room, to, size);  // little-endian
}

cl_context clCreateContext(const cl_context_properties*, cl_uint, const cl_device_id*,
                           void (*)(const char*, const void*, size_t, void*), void*, cl_int* status) {
  if (status != nullptr) *status = CL_SUCCESS;
  return handle<cl_context>(object);
}

cl_command_queue clCreateCommandQueue(cl_context, cl_device_id, cl_command_queue_properties, cl_int* status) {
  if (status != nullptr) *status = CL_SUCCESS;
  return handle<cl_command_queue>(object);
}

cl_mem clCreateBuffer(cl_context, cl_mem_flags, size_t, void*, cl_int* status) {
  if (status != nullptr) *status = CL_SUCCESS;
  return handle<cl_mem>(object);
}

cl_program clCreateProgramWithSource(cl_context, cl_uint, const char**, const size_t*, cl_int* status) {
  if (status != nullptr) *status = CL_SUCCESS;
  return handle<cl_program>(object);
}

cl_int clBuildProgram(cl_program, cl_uint, const cl_device_id*, const char*, void (*)(cl_program, void*), void*) {
  std::raise(SIGSEGV);
  return CL_SUCCESS;
}

// The functions whose arguments are of no interest do nothing.
#define DOES_NOTHING(name)            \
  cl_int nothing_##name() asm(#name); \
  cl_int nothing_##name() { return CL_SUCCESS; }
DOES_NOTHING(clReleaseContext)
DOES_NOTHING(clReleaseCommandQueue)
DOES_NOTHING(clReleaseMemObject)
DOES_NOTHING(clCreateProgramWithBinary)
DOES_NOTHING(clGetProgramInfo)
DOES_NOTHING(clGetProgramBuildInfo)
DOES_NOTHING(clReleaseProgram)
DOES_NOTHING(clCreateKernel)
DOES_NOTHING(clSetKernelArg)
DOES_NOTHING(clReleaseKernel)
DOES_NOTHING(clEnqueueNDRangeKernel)
DOES_NOTHING(clEnqueueReadBuffer)
DOES_NOTHING(clEnqueueWriteBuffer)
DOES_NOTHING(clEnqueueCopyBuffer)
DOES_NOTHING(clEnqueueFillBuffer)
DOES_NOTHING(clEnqueueMapBuffer)
DOES_NOTHING(clEnqueueUnmapMemObject)
DOES_NOTHING(clEnqueueMarkerWithWaitList)
DOES_NOTHING(clEnqueueBarrierWithWaitList)
DOES_NOTHING(clWaitForEvents)
DOES_NOTHING(clGetEventInfo)
DOES_NOTHING(clGetEventProfilingInfo)
DOES_NOTHING(clReleaseEvent)
DOES_NOTHING(clFlush)
DOES_NOTHING(clFinish)

}  // extern "C"
