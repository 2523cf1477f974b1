// The memory in use, for programs that look for leaks.

#pragma once

#include <optional>

namespace octavo::bench {

/// The memory in use [MiB].
struct MemoryInUse {
  double host = 0;            ///< resident memory of this process
  std::optional<double> gpu;  ///< by all processes on all NVIDIA GPUs; nullopt if nvidia-smi does not report it
};

MemoryInUse memory_in_use();

}  // namespace octavo::bench
