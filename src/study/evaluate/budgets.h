#pragma once

// Configurations that find different numbers of keypoints cannot be compared: with more of them repeatability and
// right matches rise by chance alone, and precision falls. What is told then names no best one.

#include <span>
#include <string>
#include <vector>

#include "study/evaluate/comparison.h"

namespace octavo::evaluation {

/// Whether the mean numbers of keypoints differ by more than a tenth.
bool are_uneven(std::span<const double> keypoints);

/// The mean number of keypoints of an image by each configuration; empty without pairs.
std::vector<double> mean_keypoints(const Comparison& comparison, std::size_t configurations);

/// Says which of these configurations have the fewest and the most, and what makes them comparable. Empty if they are
/// even.
std::string warning_of_budgets(std::span<const double> keypoints, std::span<const std::string> configurations);

}  // namespace octavo::evaluation
