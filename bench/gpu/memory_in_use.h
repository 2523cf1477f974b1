// How much memory is taken, for programs that look for leaks.

#pragma once

#include <optional>

namespace octavo::bench {

/// [MiB]
struct MemoryInUse {
  double host = 0;            ///< resident, of this process
  std::optional<double> gpu;  ///< of all NVIDIA GPUs together, by all processes; none where nvidia-smi does not tell
};

MemoryInUse memory_in_use();

}  // namespace octavo::bench
