// Linux tells the memory of the machine in /proc/meminfo, and limits of groups of processes in the files of cgroups.
// A process stands in a tree of groups, and each of them can have a limit. What a group uses includes files that the
// kernel has cached; it drops them before it refuses memory, so they count as available, like swap space. Each number
// is rather too large than too small: the check must not refuse work that would succeed.

#include "engine/device/host_memory_files.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

namespace octavo {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return a > unlimited - b ? unlimited : a + b; }
std::uint64_t difference(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; }

// The first number of a text, after spaces; nothing if there is another word ("max", "unlimited").
std::optional<std::uint64_t> number_in(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data() + begin, text.data() + text.size(), value);
  if (error != std::errc()) return {};
  return value;
}

std::optional<std::uint64_t> number_of(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  if (!std::getline(stream, line)) return {};
  return number_in(line);
}

// The number on the line that begins with `name`.
std::optional<std::uint64_t> number_of(const fs::path& file, std::string_view name) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (std::string_view(line).substr(0, name.size()) == name)
      return number_in(std::string_view(line).substr(name.size()));
  }
  return {};
}

std::uint64_t bytes_of_kibibytes(const fs::path& file, std::string_view name) {
  return number_of(file, name).value_or(0) << 10;
}

void limit_to(AvailableMemory& available, std::uint64_t bytes, const std::string& limit) {
  if (bytes < available.bytes) available = {bytes, limit};
}

// The names of the files of a version of cgroups.
struct CgroupVersion {
  const char* limit;
  const char* usage;
  const char* cached[3];  // lines of memory.stat
  const char* swap_limit;
  const char* swap_usage;
  bool swap_includes_memory;  // the limit of swap is one of memory and swap together
};
constexpr CgroupVersion version_1{"memory.limit_in_bytes",
                                  "memory.usage_in_bytes",
                                  {"total_active_file ", "total_inactive_file ", nullptr},
                                  "memory.memsw.limit_in_bytes",
                                  "memory.memsw.usage_in_bytes",
                                  true};
constexpr CgroupVersion version_2{
    "memory.max",      "memory.current",      {"active_file ", "inactive_file ", "slab_reclaimable "},
    "memory.swap.max", "memory.swap.current", false};

void limit_to_group(AvailableMemory& available, const CgroupVersion& version, const fs::path& folder,
                    const std::string& group, std::uint64_t free_swap) {
  const std::optional<std::uint64_t> limit = number_of(folder / version.limit),
                                     usage = number_of(folder / version.usage);
  if (!limit || !usage) return;
  std::uint64_t cached = 0;
  for (const char* line : version.cached) {
    if (line != nullptr) cached = sum(cached, number_of(folder / "memory.stat", line).value_or(0));
  }
  const std::uint64_t in_memory = difference(sum(*limit, cached), *usage);
  std::uint64_t all = sum(in_memory, free_swap);
  if (const auto swap_limit = number_of(folder / version.swap_limit)) {
    const std::uint64_t left = difference(*swap_limit, number_of(folder / version.swap_usage).value_or(0));
    all = version.swap_includes_memory ? std::min(all, sum(left, cached)) : sum(in_memory, std::min(left, free_swap));
  }
  limit_to(available, all, "limit of the cgroup " + group);
}

// The group and those that contain it. In a container the path may be one of the host; the root is then the group of
// the container.
void limit_to_groups(AvailableMemory& available, const CgroupVersion& version, const fs::path& root, fs::path group,
                     std::uint64_t free_swap) {
  for (;; group = group.parent_path()) {
    limit_to_group(available, version, root / group.relative_path(), group.string(), free_swap);
    if (group == group.parent_path()) return;
  }
}

// Whether a list such as "cpu,memory" contains a word.
bool contains_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    if (list.substr(0, end) == word) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

void limit_to_cgroups(AvailableMemory& available, const HostMemoryFiles& files, std::uint64_t free_swap) {
  std::ifstream stream(files.proc / "self/cgroup");
  for (std::string line; std::getline(stream, line);) {  // "4:memory:/jobs/7"; "0::/jobs/7" for version 2
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string_view controllers = std::string_view(line).substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (contains_word(controllers, "memory")) {
      limit_to_groups(available, version_1, files.cgroups / "memory", group, free_swap);
    } else if (controllers.empty()) {
      limit_to_groups(available, version_2, files.cgroups, group, free_swap);
    }
  }
}

void limit_to_process(AvailableMemory& available, const fs::path& self) {
  const auto limit_by = [&](std::string_view limit, std::string_view usage, const char* name) {
    const std::optional<std::uint64_t> most = number_of(self / "limits", limit);
    if (most) limit_to(available, difference(*most, bytes_of_kibibytes(self / "status", usage)), name);
  };
  limit_by("Max address space", "VmSize:", "limit of the address space of the process, RLIMIT_AS");
  limit_by("Max data size", "VmData:", "limit of the data of the process, RLIMIT_DATA");
}

}  // namespace

AvailableMemory available_host_memory(const HostMemoryFiles& files) {
  AvailableMemory available{unlimited, "nothing"};
  const fs::path memory = files.proc / "meminfo";
  const std::uint64_t free_swap = bytes_of_kibibytes(memory, "SwapFree:");
  if (const auto free = number_of(memory, "MemAvailable:")) {
    limit_to(available, sum(*free << 10, free_swap), "memory of the machine");
  }
  limit_to_cgroups(available, files, free_swap);
  limit_to_process(available, files.proc / "self");
  return available;
}

AvailableMemory available_host_memory() { return available_host_memory(HostMemoryFiles{}); }

}  // namespace octavo
