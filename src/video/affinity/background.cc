// VLADs are sums of many numbers, so the products of those that have nothing in common are distributed normally. Their
// mean is estimated by the median, and their deviation by the quantile below it, which pairs of frames that show the
// same hardly reach. What lies above the limit is no background, so the estimate is made anew without it. Where nearly
// all pairs show the same, nothing tells the background: it never counts as greater than that of any clips.

#include "video/affinity/background.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace octavo {
namespace {

// Of the sets of rushes: docs/takes.md, Alignment.
constexpr double usual_mean = 0.03, usual_deviation = 0.04;
constexpr double below_one_deviation = 0.1587;  // the share of a normal distribution
constexpr std::size_t most_values = 200'000;
constexpr int rounds = 10;  // the estimate stays the same after two or three

// By how many deviations a number of a normal distribution exceeds the mean in one of `count` cases.
double deviations_of(double count) {
  double low = 0, high = 40;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(middle / std::sqrt(2.0)) / 2 > 1 / count ? low : high) = middle;
  }
  return high;
}

std::vector<float> sorted_sample(std::span<const float> all) {
  std::vector<float> values;
  const std::size_t step = 1 + all.size() / most_values;
  for (std::size_t i = 0; i < all.size(); i += step) {
    if (all[i] != 0) values.push_back(all[i]);
  }
  std::ranges::sort(values);
  return values;
}

double to_a_thousandth(double value) { return std::round(value * 1000) / 1000; }

}  // namespace

double background_limit(std::span<const float> all, double count) {
  const double deviations = deviations_of(std::max(count, 2.0));
  const double usual = usual_mean + deviations * usual_deviation;
  const std::vector<float> values = sorted_sample(all);
  double limit = usual;
  std::size_t below = values.size();  // those that are background
  for (int round = 0; round < rounds && below > 0; ++round) {
    const double median = values[below / 2];
    const double deviation =
        median - values[static_cast<std::size_t>(static_cast<double>(below) * below_one_deviation)];
    limit = std::min(usual, median + deviations * deviation);
    below = static_cast<std::size_t>(std::ranges::upper_bound(values, static_cast<float>(limit)) - values.begin());
  }
  return to_a_thousandth(limit);
}

}  // namespace octavo
