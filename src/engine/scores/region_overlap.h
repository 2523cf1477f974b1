#pragma once

#include <array>

#include "engine/scores/truth.h"
#include "octavo/pair_scores.h"

namespace octavo::evaluation {

/// The regions of the keypoints in common, and how many of them correspond.
struct RegionCounts {
  int a = 0, b = 0;               ///< regions
  OverlapCounts corresponding{};  ///< pairs of them whose overlap error is at most the threshold, one to one
};
RegionCounts count_regions(const Common& common, const Features& a, const Features& b,
                           const std::array<double, 9>& b_from_a);

}  // namespace octavo::evaluation
