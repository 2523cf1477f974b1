#include "device/program_cache_opencl.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>

#include "octavo/error.h"

namespace octavo {
namespace {

using Bytes = std::vector<unsigned char>;

// FNV-1a. It distinguishes entries and finds truncated files. It is no defence against a user who can write to the
// folder.
std::string digest(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  char hex[17];
  std::snprintf(hex, sizeof hex, "%016llx", static_cast<unsigned long long>(h));
  return hex;
}

std::string digest(const Bytes& bytes) {
  return digest(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

// The path of the entry for a program; empty if the environment gives no cache folder.
std::filesystem::path entry_path(const OpenClDevice& device, const KernelModule& module) {
  std::filesystem::path folder;
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  if (cache != nullptr && *cache != '\0') {
    folder = cache;
  } else if (home != nullptr && *home != '\0') {
    folder = std::filesystem::path(home) / ".cache";
  } else {
    return {};
  }
  const std::string key = std::string(module.text) + '\0' + device.build_options + '\0' + device.identity;
  return folder / "octavo" / "opencl" / (digest(key) + ".bin");
}

// An entry is the digest of the driver's binary, 16 letters, and the binary. The digest protects drivers, which crash
// on truncated binaries.
std::optional<Bytes> read_entry(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string expected(16, '\0');
  if (!file.read(expected.data(), static_cast<std::streamsize>(expected.size()))) return std::nullopt;
  Bytes binary{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (binary.empty() || digest(binary) != expected) return std::nullopt;
  return binary;
}

// Other processes see either the whole entry or none.
void write_entry(const std::filesystem::path& path, const Bytes& binary) {
  std::error_code ignored;
  std::filesystem::create_directories(path.parent_path(), ignored);
  std::string temporary = path.string() + ".XXXXXX";
  const int descriptor = mkstemp(temporary.data());
  if (descriptor < 0) return;
  close(descriptor);
  std::ofstream file(temporary, std::ios::binary);
  file << digest(binary);
  file.write(reinterpret_cast<const char*>(binary.data()), static_cast<std::streamsize>(binary.size()));
  file.close();
  if (file) std::filesystem::rename(temporary, path, ignored);
  if (!file || ignored) std::filesystem::remove(temporary, ignored);
}

// The binary of the context's one device; empty if the driver gives none.
std::optional<Bytes> binary_of(const OpenClApi& api, cl_program program) {
  std::size_t bytes = 0;
  if (api.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, nullptr) != CL_SUCCESS ||
      bytes == 0) {
    return std::nullopt;
  }
  Bytes binary(bytes);
  unsigned char* to = binary.data();
  if (api.clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof to, &to, nullptr) != CL_SUCCESS) return std::nullopt;
  return binary;
}

cl_int build(const OpenClApi& api, cl_program program, const OpenClDevice& device) {
  return api.clBuildProgram(program, 1, &device.device, device.build_options.c_str(), nullptr, nullptr);
}

// Null if the driver does not accept the binary.
OpenClHandle<cl_program> build_from(const OpenClApi& api, cl_context context, const OpenClDevice& device,
                                    const Bytes& binary) {
  const unsigned char* data = binary.data();
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
  const std::filesystem::path path = entry_path(device, module);
  if (!path.empty()) {
    if (const std::optional<Bytes> binary = read_entry(path)) {
      OpenClHandle<cl_program> program = build_from(api, context, device, *binary);
      if (program) return program;
    }
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
  if (!path.empty()) {
    if (const std::optional<Bytes> binary = binary_of(api, program.get())) write_entry(path, *binary);
  }
  return program;
}

}  // namespace octavo
