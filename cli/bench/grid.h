#pragma once

// The measurements of `octavo bench report`: contenders × sizes × numbers of keypoints.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/bench/bench.h"
#include "cli/bench/contender.h"
#include "cli/resize.h"

namespace octavo::cli {

/// What is measured.
struct BenchGrid {
  std::vector<Size> sizes;
  std::vector<int> budgets;  ///< keypoints at most; 0: all
  double seconds = 10;       ///< a contender that has taken so long for a picture and a budget rests until the next
};

/// The times of one contender at one size and budget.
struct GridResult {
  std::string contender;
  Size size;
  int budget = 0;
  std::size_t keypoints = 0;
  std::vector<double> milliseconds;  ///< of each run, in order; at least one
  std::vector<StageTime> stages;     ///< medians over runs of their own; may be empty

  [[nodiscard]] double megapixels() const { return 1e-6 * size.width * size.height; }
};

/// All of it, and a sentence for each contender that broke down and took no further part.
struct GridMeasurements {
  std::vector<GridResult> results;
  std::vector<std::string> problems;
};

/// Told before each run: how many of how many are done, and what is next.
using GridProgress = std::function<void(std::size_t done, std::size_t total, std::string_view next)>;

/// Measures; at each size and budget the contenders take turns, round by round. Pictures for those who read files go to
/// `folder`.
GridMeasurements measure_grid(const ImageView& image, const BenchGrid& grid, const BenchOptions& options,
                              std::span<const std::unique_ptr<BenchContender>> contenders,
                              const std::filesystem::path& folder, const GridProgress& progress);

}  // namespace octavo::cli
