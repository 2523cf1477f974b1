// Windows grants memory up to the size of the machine's memory and its page file together.

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <limits>

#include "octavo/device.h"

namespace octavo {

AvailableMemory available_host_memory() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  if (GlobalMemoryStatusEx(&status) == 0) return {std::numeric_limits<std::uint64_t>::max(), "nothing"};
  return {status.ullAvailPageFile, "memory of the machine"};
}

}  // namespace octavo
