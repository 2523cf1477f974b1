// The devices of this machine: cpu and reference always, and the GPUs that the drivers find. A driver is opened only if
// the answer can depend on it: it takes a while to start, it may take much memory, and it may end the process if that
// is short. So "cpu" opens none, "cuda:0" and "opencl:0" open the driver that they name, and a list of devices asks the
// drivers in a child process (driver_survey.h).
//
// "auto" opens CUDA's driver here: a machine that has it has a GPU that will be used, and a second start would double
// the time to begin. CUDA's driver starts no compiler and reports shortage of memory as an error. OpenCL comes after
// it, and its loader opens the drivers of all vendors, among them PoCL with a whole compiler for a device that "auto"
// never takes. They are asked in a child process, and are opened here only if the child found a GPU.
//
// A process looks for the devices of a name once, since each look takes 10 to 100 ms. What it does not find it looks
// for again.

#include "engine/device/registry.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "engine/core/check.h"
#include "engine/device/cpu_isa.h"
#include "engine/device/driver_survey.h"
#include "engine/device/found_once.h"
#include "octavo/error.h"

namespace octavo {

namespace {

struct Driver {
  const char* name;    // for messages
  const char* prefix;  // of the names of its devices
  GpuDriver (*find)();
  bool is_foreign;  // its library opens drivers of several vendors, with their compilers
};

// The preferred one first.
constexpr Driver drivers[] = {{"CUDA", "cuda", find_cuda_gpus, false}, {"OpenCL", "opencl", find_opencl_gpus, true}};

// A device that a name stands for, before the options for its use are known.
struct NamedDevice {
  DeviceKind kind;
  std::string driver;
  int index = 0;
  GpuOpener open;
};

struct GpuName {
  const Driver* driver;
  int index;
};

// The parts of a name such as "cuda:1"; nothing if it is not the name of a GPU.
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

std::string list_names(const std::vector<FoundGpu>& gpus) {
  std::string names;
  for (const FoundGpu& gpu : gpus) names += (names.empty() ? "" : ", ") + gpu.facts.name;
  return names;
}

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error(ErrorCode::device_unavailable, InvalidOption{"device", "\"" + name + "\"", why});
}

// The devices that the driver finds, opened in this process.
GpuDriver find_here(const Driver& driver, const MayBeUsed& may_be_used) {
  return driver.is_foreign ? find_probed(driver.find, may_be_used) : driver.find();
}

// The devices that the driver finds, if `name` asks for those that `may_be_used`.
GpuDriver must_find(const Driver& driver, const std::string& name, const MayBeUsed& may_be_used) {
  GpuDriver found = find_here(driver, may_be_used);
  if (found.gpus.empty()) refuse(name, std::string(driver.name) + " is unavailable: " + found.missing);
  return found;
}

NamedDevice gpu_of(const Driver& driver, const GpuDriver& found, std::size_t index) {
  return {DeviceKind::gpu, driver.prefix, static_cast<int>(index), found.gpus[index].open};
}

// The driver of a name such as "cuda:all"; null if the name is not of that form.
const Driver* driver_of_all(std::string_view name) {
  for (const Driver& driver : drivers) {
    if (name == std::string(driver.prefix) + ":all") return &driver;
  }
  return nullptr;
}

std::vector<NamedDevice> find_all(const Driver& driver, const std::string& name) {
  const GpuDriver found = must_find(driver, name, [](const GpuFacts& gpu) { return gpu.conformant; });
  std::vector<NamedDevice> all;
  const bool has_real = std::any_of(found.gpus.begin(), found.gpus.end(),
                                    [](const FoundGpu& gpu) { return chosen_automatically(gpu.facts); });
  for (std::size_t i = 0; i < found.gpus.size(); ++i) {
    const GpuFacts& facts = found.gpus[i].facts;
    if (has_real ? chosen_automatically(facts) : facts.conformant) all.push_back(gpu_of(driver, found, i));
  }
  if (all.empty()) refuse(name, "none is conformant of " + list_names(found.gpus));
  return all;
}

NamedDevice find_best() {
  for (const Driver& driver : drivers) {
    if (driver.is_foreign) {
      const std::vector<GpuFacts> gpus = survey(driver.find, chosen_automatically).gpus;
      if (std::none_of(gpus.begin(), gpus.end(), chosen_automatically)) continue;
    }
    const GpuDriver found = find_here(driver, chosen_automatically);
    for (std::size_t i = 0; i < found.gpus.size(); ++i) {
      if (chosen_automatically(found.gpus[i].facts)) return gpu_of(driver, found, i);
    }
  }
  return {DeviceKind::cpu, {}, 0, {}};
}

NamedDevice find_one(const std::string& name) {
  if (name == "auto") return find_best();
  if (name == "cpu") return {DeviceKind::cpu, {}, 0, {}};
  if (name == "reference") return {DeviceKind::reference, {}, 0, {}};
  if (const std::optional<GpuName> gpu = parse(name)) {
    const std::string own_name = std::string(gpu->driver->prefix) + ":" + std::to_string(gpu->index);
    const GpuDriver found =
        must_find(*gpu->driver, name, [&](const GpuFacts& facts) { return facts.name == own_name; });
    const std::size_t index = static_cast<std::size_t>(gpu->index);
    if (index >= found.gpus.size()) refuse(name, "this machine has " + list_names(found.gpus) + " only");
    if (!found.gpus[index].facts.usable) refuse(name, found.gpus[index].facts.shortcoming);
    return gpu_of(*gpu->driver, found, index);
  }
  const std::vector<Device> devices = list_devices();
  std::vector<std::string_view> known{"auto"};
  for (const Device& device : devices) known.push_back(device.name);
  refuse(name, "this machine has " + list_of(known) + did_you_mean(name, known));
}

// The devices of a name without commas, at least one.
std::vector<NamedDevice> find_part(const std::string& name) {
  const Driver* const all_of = driver_of_all(name);
  return all_of != nullptr ? find_all(*all_of, name) : std::vector{find_one(name)};
}

// The devices that `name` stands for, at least one.
std::vector<NamedDevice> find_devices(const std::string& name) {
  static auto& found = *new FoundOnce<std::vector<NamedDevice>>;  // threads may ask while the process ends
  std::vector<NamedDevice> devices;
  std::size_t begin = 0, comma = 0;
  do {
    comma = std::min(name.find(',', begin), name.size());
    const std::string part = name.substr(begin, comma - begin);
    if (part.size() != name.size() && !parse(part) && driver_of_all(part) == nullptr) {
      refuse(name, part.empty() ? "must have a device before and after each comma"
                                : "only GPUs can be named together, and \"" + part + "\" is none");
    }
    const std::vector<NamedDevice>& of_part = found.get(part, [&] { return find_part(part); });
    devices.insert(devices.end(), of_part.begin(), of_part.end());
    begin = comma + 1;
  } while (comma < name.size());
  return devices;
}

}  // namespace

std::vector<std::string> list_isas() {
  std::vector<std::string> names;
  for (const Isa& isa : supported_isas()) names.push_back(isa.name);
  return names;
}

namespace {

DeviceSurvey survey_drivers() {
  DeviceSurvey all;
  std::vector<Device> others;
  for (const Driver& driver : drivers) {
    DriverSurvey found = survey(driver.find, [](const GpuFacts&) { return true; });
    for (const GpuFacts& gpu : found.gpus) {
      (chosen_automatically(gpu) ? all.devices : others).push_back(as_device(gpu, driver));
    }
    if (found.gpus.empty()) all.missing.push_back({driver.name, std::move(found.missing)});
  }
  Device cpu{"cpu", "cpu", std::to_string(std::thread::hardware_concurrency()) + " threads, vectors", {}, true, {}};
  cpu.isas = list_isas();
  all.devices.push_back(std::move(cpu));
  all.devices.insert(all.devices.end(), others.begin(), others.end());
  all.devices.push_back(
      {"reference", "reference", "plain scalar loops: the executable specification, slow", {}, true, {}});
  return all;
}

}  // namespace

DeviceSurvey survey_devices() {
  static auto& found = *new FoundOnce<DeviceSurvey>;  // as in find_devices
  return found.get("", survey_drivers);
}

std::vector<Device> list_devices() { return survey_devices().devices; }

std::vector<MissingDriver> missing_drivers() { return survey_devices().missing; }

std::string ResolvedDevice::name() const {
  if (is_gpu()) return driver + ":" + std::to_string(index);
  return kind == DeviceKind::reference ? "reference" : "cpu";
}

std::string ResolvedDevice::isa_name() const {
  if (is_gpu()) return driver;
  return kind == DeviceKind::reference ? "scalar" : isa.name;
}

int ResolvedDevice::threads() const { return kind == DeviceKind::reference ? 1 : cpu_pool().threads(); }

std::vector<ResolvedDevice> resolve_devices(const DeviceOptions& options) {
  const Isa isa = find_isa(options.isa);
  const CpuPool valid_threads(options.threads);
  if (options.name != "cpu" && options.name != "reference") report(options.progress, "looking for GPUs");
  std::vector<ResolvedDevice> resolved;
  for (NamedDevice& device : find_devices(options.name)) {
    resolved.push_back({device.kind, std::move(device.driver), device.index, isa, options.threads, options.gpu_memory,
                        std::move(device.open), options.progress});
  }
  return resolved;
}

ResolvedDevice resolve_device(const DeviceOptions& options) { return resolve_devices(options).front(); }

}  // namespace octavo
