#include "engine/device/api_opencl.h"

#include "octavo/error.h"

namespace octavo {

OpenClApi::OpenClApi() : library_(opencl_library()) {}

std::string opencl_error_name(cl_int status) {
  switch (status) {
#define OCTAVO_NAME(code) \
  case code:              \
    return #code
    OCTAVO_NAME(CL_DEVICE_NOT_FOUND);
    OCTAVO_NAME(CL_DEVICE_NOT_AVAILABLE);
    OCTAVO_NAME(CL_COMPILER_NOT_AVAILABLE);
    OCTAVO_NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    OCTAVO_NAME(CL_OUT_OF_RESOURCES);
    OCTAVO_NAME(CL_OUT_OF_HOST_MEMORY);
    OCTAVO_NAME(CL_PROFILING_INFO_NOT_AVAILABLE);
    OCTAVO_NAME(CL_MEM_COPY_OVERLAP);
    OCTAVO_NAME(CL_BUILD_PROGRAM_FAILURE);
    OCTAVO_NAME(CL_MAP_FAILURE);
    OCTAVO_NAME(CL_MISALIGNED_SUB_BUFFER_OFFSET);
    OCTAVO_NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    OCTAVO_NAME(CL_INVALID_VALUE);
    OCTAVO_NAME(CL_INVALID_PLATFORM);
    OCTAVO_NAME(CL_INVALID_DEVICE);
    OCTAVO_NAME(CL_INVALID_CONTEXT);
    OCTAVO_NAME(CL_INVALID_QUEUE_PROPERTIES);
    OCTAVO_NAME(CL_INVALID_COMMAND_QUEUE);
    OCTAVO_NAME(CL_INVALID_HOST_PTR);
    OCTAVO_NAME(CL_INVALID_MEM_OBJECT);
    OCTAVO_NAME(CL_INVALID_BINARY);
    OCTAVO_NAME(CL_INVALID_BUILD_OPTIONS);
    OCTAVO_NAME(CL_INVALID_PROGRAM);
    OCTAVO_NAME(CL_INVALID_PROGRAM_EXECUTABLE);
    OCTAVO_NAME(CL_INVALID_KERNEL_NAME);
    OCTAVO_NAME(CL_INVALID_KERNEL_DEFINITION);
    OCTAVO_NAME(CL_INVALID_KERNEL);
    OCTAVO_NAME(CL_INVALID_ARG_INDEX);
    OCTAVO_NAME(CL_INVALID_ARG_VALUE);
    OCTAVO_NAME(CL_INVALID_ARG_SIZE);
    OCTAVO_NAME(CL_INVALID_KERNEL_ARGS);
    OCTAVO_NAME(CL_INVALID_WORK_DIMENSION);
    OCTAVO_NAME(CL_INVALID_WORK_GROUP_SIZE);
    OCTAVO_NAME(CL_INVALID_WORK_ITEM_SIZE);
    OCTAVO_NAME(CL_INVALID_GLOBAL_OFFSET);
    OCTAVO_NAME(CL_INVALID_EVENT_WAIT_LIST);
    OCTAVO_NAME(CL_INVALID_EVENT);
    OCTAVO_NAME(CL_INVALID_OPERATION);
    OCTAVO_NAME(CL_INVALID_BUFFER_SIZE);
    OCTAVO_NAME(CL_INVALID_GLOBAL_WORK_SIZE);
#undef OCTAVO_NAME
    case -1001:  // from the extension cl_khr_icd of the loader
      return "CL_PLATFORM_NOT_FOUND_KHR";
    default:
      return "OpenCL error " + std::to_string(status);
  }
}

void check_opencl(cl_int status, const char* call) {
  if (status == CL_SUCCESS) return;
  if (status == CL_OUT_OF_HOST_MEMORY || status == CL_MEM_OBJECT_ALLOCATION_FAILURE) {
    throw Error(ErrorCode::out_of_memory,
                std::string("there is too little memory for ") + call + ": " + opencl_error_name(status));
  }
  throw Error(ErrorCode::device_unavailable, std::string(call) + " failed: " + opencl_error_name(status));
}

void check_opencl_enqueue(cl_int status, const char* call) {
  if (status == CL_MEM_OBJECT_ALLOCATION_FAILURE || status == CL_OUT_OF_RESOURCES || status == CL_OUT_OF_HOST_MEMORY) {
    throw Error(ErrorCode::out_of_memory,
                std::string("the device has too little memory for ") + call + ": " + opencl_error_name(status));
  }
  check_opencl(status, call);
}

}  // namespace octavo
