#pragma once

#include <cstddef>
#include <span>

#include "engine/core/internal_api.h"

// How sure a difference between two configurations is that were compared on the same pairs of images.

namespace OCTAVO_INTERNAL_API octavo {

/// The mean of differences, and its confidence interval of 95 %.
struct MeanDifference {
  double mean = 0, low = 0, high = 0;
  std::size_t units = 0;  ///< of what was drawn again: groups or single differences

  /// Fewer units say too little about chance. The interval is then the mean alone.
  static constexpr std::size_t least_units = 6;
  /// Fewer groups are not drawn, but single differences.
  static constexpr std::size_t least_groups = 8;
  [[nodiscard]] bool is_known() const { return units >= least_units; }
  /// Whether 0 lies outside the interval: the difference is more than chance.
  [[nodiscard]] bool is_sure() const { return is_known() && (low > 0 || high < 0); }
};

/// The bootstrap (Efron 1979): draws as many units as there are, with replacement, 2000 times, and takes the quantiles
/// 0.025 and 0.975 of the means. `groups` has the group of each difference, such as the scene of a pair. If there are
/// least_groups or more, whole groups are drawn, since pairs of one scene resemble each other; otherwise single
/// differences. The same input gives the same result. Throws Error(invalid_argument) if the lengths differ.
MeanDifference mean_difference(std::span<const double> differences, std::span<const std::size_t> groups);

}  // namespace octavo
