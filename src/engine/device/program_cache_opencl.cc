#include "engine/device/program_cache_opencl.h"

#include <optional>
#include <sstream>

#include "engine/device/cache_entry.h"
#include "octavo/error.h"

namespace octavo {
namespace {

CacheEntry entry_of(const OpenClDevice& device, const KernelModule& module) {
  return {"opencl", std::string(module.text) + '\0' + device.facts.compiler};
}

// The binary of the context's one device; empty if the driver gives none.
std::optional<std::string> binary_of(const OpenClApi& api, cl_program program) {
  std::size_t bytes = 0;
  if (api.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, nullptr) != CL_SUCCESS ||
      bytes == 0) {
    return std::nullopt;
  }
  std::string binary(bytes, '\0');
  auto* to = reinterpret_cast<unsigned char*>(binary.data());
  if (api.clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof to, &to, nullptr) != CL_SUCCESS) return std::nullopt;
  return binary;
}

cl_int build(const OpenClApi& api, cl_program program, const OpenClDevice& device) {
  return api.clBuildProgram(program, 1, &device.device, device.build_options.c_str(), nullptr, nullptr);
}

// Null if the driver does not accept the binary.
OpenClHandle<cl_program> build_from(const OpenClApi& api, cl_context context, const OpenClDevice& device,
                                    const std::string& binary) {
  const auto* data = reinterpret_cast<const unsigned char*>(binary.data());
  const std::size_t bytes = binary.size();
  cl_int of_binary = CL_SUCCESS;
  cl_int status = CL_SUCCESS;
  OpenClHandle<cl_program> program(
      api.clCreateProgramWithBinary(context, 1, &device.device, &bytes, &data, &of_binary, &status),
      api.clReleaseProgram);
  if (status != CL_SUCCESS || of_binary != CL_SUCCESS || build(api, program.get(), device) != CL_SUCCESS) {
    program.reset();
  }
  return program;
}

std::string first_lines_of_log(const OpenClApi& api, cl_program program, cl_device_id device) {
  std::size_t bytes = 0;
  if (api.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes) != CL_SUCCESS) return {};
  std::string log(bytes, '\0');
  api.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
  std::istringstream lines(log.substr(0, log.find('\0')));
  std::string first;
  std::string line;
  for (int i = 0; i < 8 && std::getline(lines, line); ++i) first += '\n' + line;
  return first;
}

}  // namespace

OpenClHandle<cl_program> build_opencl_program(const OpenClApi& api, cl_context context, const OpenClDevice& device,
                                              const KernelModule& module, const ProgressSink& progress) {
  const CacheEntry entry = entry_of(device, module);
  // The entry finds damage by itself, which protects drivers that crash on truncated binaries.
  if (const std::optional<std::string> binary = module.is_kept ? entry.read() : std::nullopt) {
    OpenClHandle<cl_program> program = build_from(api, context, device, *binary);
    if (program) return program;
  }

  report(progress, std::string("building kernels of ") + module.name + ", once");
  const char* text = module.text;
  cl_int status = CL_SUCCESS;
  OpenClHandle<cl_program> program(api.clCreateProgramWithSource(context, 1, &text, nullptr, &status),
                                   api.clReleaseProgram);
  check_opencl(status, "clCreateProgramWithSource");
  status = build(api, program.get(), device);
  if (status == CL_OUT_OF_HOST_MEMORY) check_opencl(status, "clBuildProgram");
  if (status != CL_SUCCESS) {
    throw Error(ErrorCode::device_unavailable, std::string("the kernels \"") + module.name + "\" cannot be built for " +
                                                   device.facts.name + " (" + opencl_error_name(status) +
                                                   "):" + first_lines_of_log(api, program.get(), device.device));
  }
  if (!module.is_kept) return program;  // for the binary PoCL would compile every kernel, for groups of any size
  if (const std::optional<std::string> binary = binary_of(api, program.get())) entry.write(*binary);
  return program;
}

}  // namespace octavo
