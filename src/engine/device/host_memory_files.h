// What Linux tells of memory in files.

#pragma once

#include <filesystem>

#include "engine/core/internal_api.h"
#include "octavo/device.h"

namespace OCTAVO_INTERNAL_API octavo {

/// The places of the system's files.
struct HostMemoryFiles {
  std::filesystem::path proc = "/proc";
  std::filesystem::path cgroups = "/sys/fs/cgroup";
};

/// available_host_memory() by these files. A file that is missing or not understood limits nothing.
AvailableMemory available_host_memory(const HostMemoryFiles& files);

}  // namespace octavo
