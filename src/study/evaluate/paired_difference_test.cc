// Intervals of differences between configurations on the same pairs.

#include "study/evaluate/paired_difference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "octavo/error.h"

namespace octavo {
namespace {

std::vector<std::size_t> one_each(std::size_t count) {
  std::vector<std::size_t> groups(count);
  std::iota(groups.begin(), groups.end(), std::size_t{0});
  return groups;
}

TEST(MeanDifference, HasTheIntervalOfTheStandardError) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal(0.5, 2);
  std::vector<double> differences(400);
  for (double& one : differences) one = normal(random);
  double sum = 0, squares = 0;
  for (const double one : differences) sum += one;
  for (const double one : differences) squares += (one - sum / 400) * (one - sum / 400);
  const double error = std::sqrt(squares / 399 / 400);
  const MeanDifference result = mean_difference(differences, one_each(400));
  EXPECT_DOUBLE_EQ(result.mean, sum / 400);
  EXPECT_NEAR(result.low, result.mean - 1.96 * error, 0.15 * error);
  EXPECT_NEAR(result.high, result.mean + 1.96 * error, 0.15 * error);
  EXPECT_TRUE(result.is_sure());
}

TEST(MeanDifference, OfChanceIsNotSure) {
  std::vector<double> differences(60);
  for (std::size_t i = 0; i < differences.size(); ++i) differences[i] = i % 2 == 0 ? 1 : -0.9;
  const MeanDifference result = mean_difference(differences, one_each(60));
  EXPECT_TRUE(result.is_known());
  EXPECT_FALSE(result.is_sure());
  EXPECT_LT(result.low, 0);
  EXPECT_GT(result.high, 0);
}

TEST(MeanDifference, DrawsWholeGroups) {
  // Ten groups of twenty equal differences are ten observations, not two hundred.
  std::vector<double> differences;
  std::vector<std::size_t> groups;
  for (std::size_t group = 0; group < 10; ++group) {
    for (int i = 0; i < 20; ++i) {
      differences.push_back(group % 2 == 0 ? 1 : -0.5);
      groups.push_back(group);
    }
  }
  const MeanDifference grouped = mean_difference(differences, groups);
  EXPECT_EQ(grouped.units, 10U);
  EXPECT_FALSE(grouped.is_sure());
  EXPECT_TRUE(mean_difference(differences, one_each(differences.size())).is_sure());
}

TEST(MeanDifference, OfFewIsNotKnown) {
  const std::vector<double> differences(5, 3.0);
  const MeanDifference result = mean_difference(differences, one_each(5));
  EXPECT_FALSE(result.is_known());
  EXPECT_FALSE(result.is_sure());
  EXPECT_EQ(result.mean, 3);
  EXPECT_EQ(mean_difference({}, {}).mean, 0);
}

TEST(MeanDifference, RefusesOtherLengths) { EXPECT_THROW(mean_difference(std::vector<double>(3), one_each(2)), Error); }

}  // namespace
}  // namespace octavo
