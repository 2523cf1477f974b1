#include "engine/device/gpu_grid.h"

#include <cstdint>

#include "octavo/error.h"

namespace octavo {

namespace {

// CUDA C++ Programming Guide, technical specifications per compute capability. They are the same for all that Octavo
// supports.
constexpr std::array<unsigned, 3> most_groups{0x7fffffff, 65535, 65535};
constexpr std::array<unsigned, 3> most_threads_along{1024, 1024, 64};
constexpr std::uint64_t most_threads = 1024;

std::string text_of_sizes(const std::array<unsigned, 3>& sizes) {
  return std::to_string(sizes[0]) + "x" + std::to_string(sizes[1]) + "x" + std::to_string(sizes[2]);
}

bool within(const std::array<unsigned, 3>& sizes, const std::array<unsigned, 3>& most) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (sizes[axis] < 1 || sizes[axis] > most[axis]) return false;
  }
  return true;
}

}  // namespace

GpuGrid GpuGrid::of_rows(int across, int rows, unsigned threads) {
  if (across < 1 || rows < 1) {
    throw Error(ErrorCode::invalid_argument, "a grid was to have " + std::to_string(rows) + " rows of " +
                                                 std::to_string(across) + " groups, but both must be at least 1");
  }
  const int slices = groups_for(rows, static_cast<int>(most_groups[1]));
  return {
      {static_cast<unsigned>(across), static_cast<unsigned>(groups_for(rows, slices)), static_cast<unsigned>(slices)},
      {threads, 1, 1}};
}

GpuGrid GpuGrid::of_groups(int groups, unsigned threads) { return of_rows(groups, 1, threads); }

GpuGrid GpuGrid::starting_early() const {
  GpuGrid grid = *this;
  grid.early = true;
  return grid;
}

void check_grid(const std::string& kernel, const GpuGrid& grid) {
  const auto& [x, y, z] = grid.threads;
  if (within(grid.groups, most_groups) && within(grid.threads, most_threads_along) &&
      std::uint64_t{x} * y * z <= most_threads) {
    return;
  }
  throw Error(ErrorCode::invalid_argument,
              "the kernel \"" + kernel + "\" was launched with " + text_of_sizes(grid.groups) + " groups of " +
                  text_of_sizes(grid.threads) + " threads, but a GPU takes 1 to " + text_of_sizes(most_groups) +
                  " groups of 1 to " + std::to_string(most_threads) + " threads");
}

}  // namespace octavo
