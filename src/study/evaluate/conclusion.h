#pragma once

// Which configuration is best, in words, and how sure that is.

#include <span>
#include <string>
#include <vector>

#include "io/pages/report_page.h"
#include "study/evaluate/comparison.h"

namespace octavo::evaluation {

/// Pairs that resemble each other are one observation: the bootstrap draws their groups (mean_difference).
struct AlikePairs {
  std::string name;                 ///< of the groups: "sequences"
  std::vector<std::size_t> groups;  ///< the group of each pair of the comparison
};

/// The pairs of a scene.
AlikePairs alike_by_scene(const Comparison& comparison, std::string name);

/// Sentences that say which configurations are best in what. One configuration alone is described.
std::vector<std::string> conclusions_of(const Comparison& comparison, const AlikePairs& alike,
                                        std::span<const Configuration> configurations);

/// The differences of all configurations to the best one, with their intervals; no rows if there is nothing to compare.
Table difference_table(const Comparison& comparison, const AlikePairs& alike,
                       std::span<const Configuration> configurations);

/// How a difference is told from chance, for the reader of the page.
std::string method_of(const AlikePairs& alike);

}  // namespace octavo::evaluation
