#include "engine/device/devices_opencl.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

#include "octavo/error.h"

namespace octavo {
namespace {

template <class T>
T number(const OpenClApi& api, cl_device_id device, cl_device_info what) {
  T value{};
  check_opencl(api.clGetDeviceInfo(device, what, sizeof value, &value, nullptr), "clGetDeviceInfo");
  return value;
}

template <class Get, class Object, class What>
std::string text(Get get, Object object, What what, const char* call) {
  std::size_t bytes = 0;
  check_opencl(get(object, what, 0, nullptr, &bytes), call);
  std::string value(bytes, '\0');
  check_opencl(get(object, what, bytes, value.data(), nullptr), call);
  return value.substr(0, value.find('\0'));
}

// The reason why the device cannot keep the contract of docs/numerics.md or cannot run at all; empty if it can.
std::string find_shortcoming(const OpenClApi& api, cl_device_id device, const std::string& version) {
  int major = 0;
  int minor = 0;
  if (std::sscanf(version.c_str(), "OpenCL %d.%d", &major, &minor) != 2 || major * 10 + minor < 12) {
    return "it speaks " + version + ", and 1.2 is needed";
  }
  if (number<cl_bool>(api, device, CL_DEVICE_AVAILABLE) == CL_FALSE) return "its driver calls it unavailable";
  if (number<cl_bool>(api, device, CL_DEVICE_COMPILER_AVAILABLE) == CL_FALSE) return "its driver has no compiler";

  struct Ability {
    cl_device_fp_config bit;
    const char* name;
  };
  constexpr Ability needed[] = {{CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, "correctly rounded division and square root"},
                                {CL_FP_FMA, "fused multiply-add"},
                                {CL_FP_DENORM, "subnormal numbers"},
                                {CL_FP_ROUND_TO_NEAREST, "rounding to nearest"},
                                {CL_FP_INF_NAN, "infinities and NaN"}};
  const auto has = number<cl_device_fp_config>(api, device, CL_DEVICE_SINGLE_FP_CONFIG);
  std::string lacks;
  for (const Ability& a : needed) {
    if ((has & a.bit) == 0) lacks += (lacks.empty() ? "its float32 lacks " : ", ") + std::string(a.name);
  }
  return lacks;
}

// The variables of the environment by which PoCL makes other code, e.g. POCL_WORK_GROUP_METHOD, each on a line.
std::string settings_of_pocl() {
  std::vector<std::string> settings;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    if (std::string_view(*variable).starts_with("POCL_")) settings.emplace_back(*variable);
  }
  std::sort(settings.begin(), settings.end());
  std::string lines;
  for (const std::string& setting : settings) lines += '\n' + setting;
  return lines;
}

OpenClDevice describe(const OpenClApi& api, cl_platform_id platform, cl_device_id device) {
  const auto of_platform = [&](cl_platform_info what) {
    return text(api.clGetPlatformInfo, platform, what, "clGetPlatformInfo");
  };
  const auto of_device = [&](cl_device_info what) {
    return text(api.clGetDeviceInfo, device, what, "clGetDeviceInfo");
  };
  const std::string platform_name = of_platform(CL_PLATFORM_NAME);
  const std::string name = of_device(CL_DEVICE_NAME);
  const std::string driver = of_device(CL_DRIVER_VERSION);
  const std::string version = of_device(CL_DEVICE_VERSION);

  // -w: PoCL prints how many warnings there are on the error stream of the program.
  OpenClDevice found{platform, device, {}, "-cl-std=CL1.2 -w"};
  if ((number<cl_device_fp_config>(api, device, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) !=
      0) {
    // Devices without the option refuse it.
    found.build_options += " -cl-fp32-correctly-rounded-divide-sqrt";
  }

  GpuFacts& facts = found.facts;
  facts.driver = "opencl";
  facts.description = name + ", " + platform_name + ", driver " + driver;
  facts.compiler = platform_name + '\n' + of_platform(CL_PLATFORM_VERSION) + '\n' + name + '\n' + version + '\n' +
                   driver + '\n' + found.build_options + settings_of_pocl();
  facts.shortcoming = find_shortcoming(api, device, version);
  facts.conformant = facts.shortcoming.empty();
  facts.is_cpu = (number<cl_device_type>(api, device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
  facts.compute_units = static_cast<int>(number<cl_uint>(api, device, CL_DEVICE_MAX_COMPUTE_UNITS));
  facts.memory_bytes = number<cl_ulong>(api, device, CL_DEVICE_GLOBAL_MEM_SIZE);
  facts.largest_buffer = number<cl_ulong>(api, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  return found;
}

}  // namespace

std::vector<OpenClDevice> list_opencl_devices(const OpenClApi& api) {
  cl_uint platform_count = 0;
  // the loader answers so if there are none
  if (api.clGetPlatformIDs(0, nullptr, &platform_count) != CL_SUCCESS) return {};
  std::vector<cl_platform_id> platforms(platform_count);
  if (api.clGetPlatformIDs(platform_count, platforms.data(), nullptr) != CL_SUCCESS) return {};

  std::vector<OpenClDevice> found;
  for (cl_platform_id platform : platforms) {
    cl_uint count = 0;
    if (api.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) continue;
    std::vector<cl_device_id> devices(count);
    if (api.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr) != CL_SUCCESS) continue;
    for (cl_device_id device : devices) {
      try {
        OpenClDevice described = describe(api, platform, device);
        described.facts.name = "opencl:" + std::to_string(found.size());
        found.push_back(std::move(described));
      } catch (const Error&) {
        continue;  // a broken driver does not hide the others
      }
    }
  }
  return found;
}

}  // namespace octavo
