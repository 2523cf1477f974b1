#include "study/evaluate/budgets.h"

#include <fmt/core.h>

#include <algorithm>

namespace octavo::evaluation {

bool are_uneven(std::span<const double> keypoints) {
  constexpr double tolerated = 1.1;
  if (keypoints.empty()) return false;
  const auto [least, most] = std::ranges::minmax_element(keypoints);
  return *most > tolerated * *least;
}

std::vector<double> mean_keypoints(const Comparison& comparison, std::size_t configurations) {
  std::vector<double> means;
  if (comparison.pairs.empty()) return means;
  for (std::size_t c = 0; c < configurations; ++c) {
    double sum = 0;
    for (const ComparedPair& pair : comparison.pairs) {
      sum += static_cast<double>(pair.scores[c].keypoints_a + pair.scores[c].keypoints_b) / 2;
    }
    means.push_back(sum / static_cast<double>(comparison.pairs.size()));
  }
  return means;
}

std::string warning_of_budgets(std::span<const double> keypoints, std::span<const std::string> configurations) {
  if (!are_uneven(keypoints)) return {};
  const auto [least, most] = std::ranges::minmax_element(keypoints);
  const auto name = [&](auto at) { return configurations[static_cast<std::size_t>(at - keypoints.begin())]; };
  return fmt::format(
      "the numbers of keypoints differ, from {:.0f} by {} to {:.0f} by {}, which changes every other number: "
      "no configuration is called the best; --max-features gives all the same budget",
      *least, name(least), *most, name(most));
}

}  // namespace octavo::evaluation
