// The percentile bootstrap of a mean, over groups of differences that belong together.

#include "study/evaluate/paired_difference.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <vector>

#include "octavo/error.h"

namespace octavo {
namespace {

constexpr std::size_t draws = 2000;

// Differences that are drawn together.
struct Unit {
  double sum = 0;
  std::size_t count = 0;
};

std::vector<Unit> units_of(std::span<const double> differences, std::span<const std::size_t> groups) {
  std::map<std::size_t, Unit> by_group;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    Unit& unit = by_group[groups[i]];
    unit.sum += differences[i];
    ++unit.count;
  }
  std::vector<Unit> units;
  if (by_group.size() >= MeanDifference::least_groups) {
    for (const auto& [group, unit] : by_group) units.push_back(unit);
  } else {
    for (const double difference : differences) units.push_back({difference, 1});
  }
  return units;
}

double mean(const Unit& sum) { return sum.count > 0 ? sum.sum / static_cast<double>(sum.count) : 0; }

}  // namespace

MeanDifference mean_difference(std::span<const double> differences, std::span<const std::size_t> groups) {
  if (differences.size() != groups.size()) {
    throw Error(ErrorCode::invalid_argument, "there are " + std::to_string(differences.size()) + " differences, but " +
                                                 std::to_string(groups.size()) + " groups");
  }
  const std::vector<Unit> units = units_of(differences, groups);
  MeanDifference result{.units = units.size()};
  const auto add = [](Unit a, const Unit& b) { return Unit{a.sum + b.sum, a.count + b.count}; };
  result.mean = result.low = result.high = mean(std::accumulate(units.begin(), units.end(), Unit{}, add));
  if (!result.is_known()) return result;
  std::mt19937_64 random(1);  // its sequence is the same with every standard library, unlike those of distributions
  std::vector<double> means(draws);
  for (double& one : means) {
    Unit sum;
    for (std::size_t i = 0; i < units.size(); ++i) sum = add(sum, units[random() % units.size()]);
    one = mean(sum);
  }
  std::sort(means.begin(), means.end());
  result.low = means[draws * 25 / 1000];
  result.high = means[draws * 975 / 1000 - 1];
  return result;
}

}  // namespace octavo
