// The devices that are compared with the reference.

#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "octavo/device.h"
#include "tests/conformance/isas.h"

namespace octavo {

/// The GPUs of this machine, or those of one kind, "cuda" or "opencl". PoCL counts as a GPU.
inline std::vector<std::string> gpu_names(const std::string& kind = "") {
  std::vector<std::string> names;
  for (const Device& device : list_devices()) {
    const bool is_gpu = device.kind == "cuda" || device.kind == "opencl";
    if (is_gpu && device.conformant && (kind.empty() || device.kind == kind)) names.push_back(device.name);
  }
  return names;
}

struct Contender {
  std::string name;
  DeviceOptions device;
};

/// The CPU with each number of threads in `threads`, the last of them with each instruction set of isas_to_compare(),
/// and the GPUs. TBB starts no more threads than there are cores, unless a tbb::global_control in scope allows more.
inline std::vector<Contender> contenders(std::initializer_list<int> threads) {
  std::vector<Contender> all;
  for (const int n : threads) {
    for (const Isa& isa : isas_to_compare()) {
      all.push_back(
          {isa.name + " with " + std::to_string(n) + " threads", {.name = "cpu", .threads = n, .isa = isa.name}});
      if (n != *(threads.end() - 1)) break;
    }
  }
  for (const std::string& name : gpu_names()) all.push_back({name, {.name = name}});
  return all;
}

}  // namespace octavo
