// The devices and instruction sets with which a machine must be tested.

#include "octavo/selftest.h"

#include "engine/device/cpu_isa.h"

namespace octavo {

std::vector<DeviceOptions> devices_to_test(const std::string& isa, int threads) {
  find_isa(isa);
  std::vector<DeviceOptions> devices;
  for (const Device& device : list_devices()) {
    if (!device.conformant) continue;  // its bytes differ, or it cannot be used at all
    const auto isas = device.isas.empty() ? std::vector<std::string>{"auto"} : device.isas;
    for (const std::string& one : isas) {
      if (isa == "auto" || isa == one) devices.push_back({.name = device.name, .threads = threads, .isa = one});
    }
  }
  return devices;
}

}  // namespace octavo
