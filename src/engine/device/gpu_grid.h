// The grid of a launch: work-groups, and threads in each of them, along x, y and z.

#pragma once

#include <array>
#include <string>

#include "engine/core/internal_api.h"

namespace OCTAVO_INTERNAL_API octavo {

struct GpuGrid {
  std::array<unsigned, 3> groups{1, 1, 1};
  std::array<unsigned, 3> threads{1, 1, 1};
  /// True if the kernel begins with await_previous_kernel() (kernel_primitives.h): its groups may start while the
  /// launch before it ends. For short kernels, because waiting groups take room from running ones.
  bool early = false;

  /// `rows` rows of `across` groups, each of `threads` threads along x. There may be more rows than CUDA's limit along
  /// y; they are then cut into slices of equal height along z. A kernel gets its row as group_row
  /// (kernel_primitives.h). It may lie beyond the last row, by less than the number of slices. Throws
  /// Error(invalid_argument) if a number is below 1.
  [[nodiscard]] static GpuGrid of_rows(int across, int rows, unsigned threads);

  /// `groups` groups along x. Throws Error(invalid_argument) if a number is below 1.
  [[nodiscard]] static GpuGrid of_groups(int groups, unsigned threads);

  /// A copy of the grid with `early` set.
  [[nodiscard]] GpuGrid starting_early() const;
};

/// The number of groups that hold `items` items; `items` ≥ 0.
[[nodiscard]] constexpr int groups_for(int items, int items_of_group) {
  return items / items_of_group + (items % items_of_group > 0 ? 1 : 0);
}

/// Throws Error(invalid_argument), which names the kernel and the grid, for a grid that CUDA refuses on any device:
/// more than 2^31 − 1 groups along x, more than 65535 along y or z, more than 1024 threads in a group (64 along z), or
/// none. The check applies to all drivers, so that a test on any GPU finds such a grid.
void check_grid(const std::string& kernel, const GpuGrid& grid);

}  // namespace octavo
