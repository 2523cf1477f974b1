#include "study/benchmark/benchmark.h"

#include <gtest/gtest.h>

#include <vector>

namespace octavo {
namespace {

CostSample sample(double megapixels, double keypoints) {
  return {megapixels, keypoints, 0.5 + 20 * megapixels + 0.004 * keypoints};
}

std::vector<CostSample> three_sizes() {
  return {sample(0.3, 500), sample(0.3, 700), sample(1, 500), sample(1, 900), sample(2, 500), sample(2, 6500)};
}

TEST(CostFit, FindsTheCostsThatMadeTheTimes) {
  const auto fit = fit_cost(three_sizes());
  ASSERT_TRUE(fit.has_value());
  EXPECT_NEAR(fit->constant, 0.5, 1e-9);
  EXPECT_NEAR(fit->per_megapixel, 20, 1e-9);
  EXPECT_NEAR(fit->per_keypoint, 0.004, 1e-12);
  EXPECT_LT(fit->largest_error, 1e-12);
}

TEST(CostFit, TellsItsLargestError) {
  std::vector<CostSample> samples = three_sizes();
  samples[3].milliseconds *= 2;
  const auto fit = fit_cost(samples);
  ASSERT_TRUE(fit.has_value());
  EXPECT_GT(fit->largest_error, 0.1);
  EXPECT_LT(fit->largest_error, 0.6);
}

TEST(CostFit, KnowsNoNegativeCosts) {
  std::vector<CostSample> samples = three_sizes();
  for (CostSample& each : samples) each.milliseconds = 20 * each.megapixels - 0.0005 * each.keypoints;
  const auto fit = fit_cost(samples);
  ASSERT_TRUE(fit.has_value());
  EXPECT_EQ(fit->per_keypoint, 0);
  EXPECT_EQ(fit->constant, 0);
  EXPECT_NEAR(fit->per_megapixel, 19, 1);
}

TEST(CostFit, IsNoneWhereTheSamplesDoNotDecideIt) {
  std::vector<CostSample> few = three_sizes();
  few.pop_back();
  EXPECT_FALSE(fit_cost(few).has_value());
  std::vector<CostSample> proportional, one_size, without_keypoints;
  for (int i = 1; i <= 6; ++i) {
    proportional.push_back(sample(i, 1000 * i));
    one_size.push_back(sample(1, 1000 * i));
    without_keypoints.push_back(sample(i, 0));
  }
  EXPECT_FALSE(fit_cost(proportional).has_value());
  EXPECT_FALSE(fit_cost(one_size).has_value());
  EXPECT_FALSE(fit_cost(without_keypoints).has_value());
}

}  // namespace
}  // namespace octavo
