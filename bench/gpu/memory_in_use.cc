#include "bench/gpu/memory_in_use.h"

#include <string>

#include "bench/peers/record.h"

namespace octavo::bench {

MemoryInUse memory_in_use() {
  MemoryInUse now;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmRSS:", 0) == 0) now.host = std::stod(line.substr(6)) / 1024;
  }
  // The driver's own count includes memory that is not in Octavo's buffers, such as modules and graphs.
  const std::string sum = first_line_of(
      "nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits 2>/dev/null | "
      "awk '{s += $1} END {if (NR) print s}'");
  if (!sum.empty() && sum != "unknown") now.gpu = std::stod(sum);
  return now;
}

}  // namespace octavo::bench
