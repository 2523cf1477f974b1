#include "device/registry.h"

#include <thread>

#include "device/cpu_isa.h"
#include "octavo/error.h"

namespace octavo {

std::vector<Device> list_devices() {
  Device cpu{"cpu", "cpu", std::to_string(std::thread::hardware_concurrency()) + " threads, vectors", {}};
  for (const Isa& isa : supported_isas()) cpu.isas.push_back(isa.name);
  return {std::move(cpu), {"reference", "reference", "plain scalar loops: the executable specification, slow", {}}};
}

DeviceKind find_device(const std::string& name) {
  if (name == "auto" || name == "cpu") return DeviceKind::cpu;
  if (name == "reference") return DeviceKind::reference;
  throw Error(ErrorCode::device_unavailable, "device is \"" + name + "\", but this machine has auto, cpu, reference");
}

std::string device_name(DeviceKind kind) { return kind == DeviceKind::cpu ? "cpu" : "reference"; }

}  // namespace octavo
