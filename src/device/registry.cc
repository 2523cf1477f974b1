// The devices of this machine: cpu and reference always, and what the drivers of GPUs find. A driver is asked only
// when the answer can depend on it: starting one takes a while, and whoever names "cpu" waits for none.

#include "device/registry.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "device/cpu_isa.h"
#include "octavo/error.h"

namespace octavo {

namespace {

struct Driver {
  const char* name;    // for people
  const char* prefix;  // of its devices' names
  GpuDriver (*find)();
  std::shared_ptr<Gpu> (*open)(int index, std::size_t memory_limit);
};

// The better one first.
constexpr Driver drivers[] = {{"CUDA", "cuda", find_cuda_gpus, open_cuda_gpu},
                              {"OpenCL", "opencl", find_opencl_gpus, open_opencl_gpu}};

struct GpuName {
  const Driver* driver;
  int index;
};

// What "cuda:1" consists of; nothing if it is not the name of a GPU.
std::optional<GpuName> parse(std::string_view name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return {};
  const std::string_view digits = name.substr(colon + 1);
  int index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc() || end != digits.data() + digits.size() || index < 0) return {};
  for (const Driver& driver : drivers) {
    if (name.substr(0, colon) == driver.prefix) return GpuName{&driver, index};
  }
  return {};
}

bool chosen_automatically(const GpuFacts& gpu) { return gpu.conformant && !gpu.is_cpu; }

Device as_device(const GpuFacts& gpu, const Driver& driver) {
  std::string note = gpu.shortcoming;
  if (note.empty() && gpu.is_cpu) note = "it is the CPU, for which there is cpu";
  return {gpu.name, driver.prefix, gpu.description, {}, gpu.conformant, std::move(note)};
}

std::string list_names(const std::vector<GpuFacts>& gpus) {
  std::string names;
  for (const GpuFacts& gpu : gpus) names += (names.empty() ? "" : ", ") + gpu.name;
  return names;
}

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error(ErrorCode::device_unavailable, "device is \"" + name + "\", but " + why);
}

// What the driver finds, for somebody who named a device of its.
GpuDriver must_find(const Driver& driver, const std::string& name) {
  GpuDriver found = driver.find();
  if (found.gpus.empty()) refuse(name, std::string(driver.name) + " is unavailable: " + found.missing);
  return found;
}

// The GPUs that "cuda:all" means; nothing if it is not of that form.
std::vector<FoundDevice> find_all(const std::string& name) {
  for (const Driver& driver : drivers) {
    if (name != std::string(driver.prefix) + ":all") continue;
    const GpuDriver found = must_find(driver, name);
    std::vector<FoundDevice> all;
    const bool has_real = std::any_of(found.gpus.begin(), found.gpus.end(), chosen_automatically);
    for (const GpuFacts& gpu : found.gpus) {
      if (has_real ? chosen_automatically(gpu) : gpu.conformant) all.push_back({DeviceKind::gpu, gpu.name});
    }
    if (all.empty()) refuse(name, "none is conformant of " + list_names(found.gpus));
    return all;
  }
  return {};
}

FoundDevice find_best() {
  for (const Driver& driver : drivers) {
    const GpuDriver found = driver.find();
    const auto best = std::find_if(found.gpus.begin(), found.gpus.end(), chosen_automatically);
    if (best != found.gpus.end()) return {DeviceKind::gpu, best->name};
  }
  return {DeviceKind::cpu, "cpu"};
}

FoundDevice find_one(const std::string& name) {
  if (name == "auto") return find_best();
  if (name == "cpu") return {DeviceKind::cpu, name};
  if (name == "reference") return {DeviceKind::reference, name};
  if (const std::optional<GpuName> gpu = parse(name)) {
    const GpuDriver found = must_find(*gpu->driver, name);
    if (static_cast<std::size_t>(gpu->index) >= found.gpus.size()) {
      refuse(name, "this machine has " + list_names(found.gpus) + " only");
    }
    return {DeviceKind::gpu, found.gpus[static_cast<std::size_t>(gpu->index)].name};
  }
  std::string known = "auto";
  for (const Device& device : list_devices()) known += ", " + device.name;
  refuse(name, "this machine has " + known);
}

}  // namespace

std::vector<Device> list_devices() {
  std::vector<Device> devices, others;
  for (const Driver& driver : drivers) {
    for (const GpuFacts& gpu : driver.find().gpus) {
      (chosen_automatically(gpu) ? devices : others).push_back(as_device(gpu, driver));
    }
  }
  Device cpu{"cpu", "cpu", std::to_string(std::thread::hardware_concurrency()) + " threads, vectors", {}, true, {}};
  for (const Isa& isa : supported_isas()) cpu.isas.push_back(isa.name);
  devices.push_back(std::move(cpu));
  devices.insert(devices.end(), others.begin(), others.end());
  devices.push_back({"reference", "reference", "plain scalar loops: the executable specification, slow", {}, true, {}});
  return devices;
}

std::vector<MissingDriver> missing_drivers() {
  std::vector<MissingDriver> missing;
  for (const Driver& driver : drivers) {
    GpuDriver found = driver.find();
    if (!found.missing.empty()) missing.push_back({driver.name, std::move(found.missing)});
  }
  return missing;
}

std::vector<FoundDevice> find_devices(const std::string& name) {
  std::vector<FoundDevice> devices;
  std::size_t begin = 0, comma = 0;
  do {
    comma = std::min(name.find(',', begin), name.size());
    const std::string part = name.substr(begin, comma - begin);
    std::vector<FoundDevice> found = find_all(part);
    if (found.empty()) {
      if (part.size() != name.size() && !parse(part)) {
        refuse(name, "only GPUs can be named together, and \"" + part + "\" is none");
      }
      found.push_back(find_one(part));
    }
    devices.insert(devices.end(), found.begin(), found.end());
    begin = comma + 1;
  } while (comma < name.size());
  return devices;
}

FoundDevice find_device(const std::string& name) { return find_devices(name).front(); }

std::shared_ptr<Gpu> open_gpu(const std::string& name, std::size_t memory_limit) {
  const std::optional<GpuName> gpu = parse(name);
  if (!gpu) refuse(name, "that is not a GPU");
  return gpu->driver->open(gpu->index, memory_limit);
}

}  // namespace octavo
