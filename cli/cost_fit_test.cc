#include "cli/cost_fit.h"

#include <gtest/gtest.h>

#include <vector>

namespace octavo::cli {
namespace {

CostSample sample(double megapixels, double keypoints) {
  return {megapixels, keypoints, 0.5 + 20 * megapixels + 0.004 * keypoints};
}

TEST(CostFit, FindsTheCostsThatMadeTheTimes) {
  const std::vector<CostSample> samples{sample(0.3, 500), sample(0.3, 700), sample(2, 500), sample(2, 6500)};
  const auto fit = fit_cost(samples);
  ASSERT_TRUE(fit.has_value());
  EXPECT_NEAR(fit->constant, 0.5, 1e-9);
  EXPECT_NEAR(fit->per_megapixel, 20, 1e-9);
  EXPECT_NEAR(fit->per_keypoint, 0.004, 1e-12);
  EXPECT_LT(fit->largest_error, 1e-12);
}

TEST(CostFit, TellsItsLargestError) {
  std::vector<CostSample> samples{sample(0.3, 500), sample(0.3, 700), sample(2, 500), sample(2, 6500), sample(1, 900)};
  samples.back().milliseconds *= 2;
  const auto fit = fit_cost(samples);
  ASSERT_TRUE(fit.has_value());
  EXPECT_GT(fit->largest_error, 0.1);
  EXPECT_LT(fit->largest_error, 0.6);
}

TEST(CostFit, KnowsNoNegativeCosts) {
  std::vector<CostSample> samples{sample(0.3, 500), sample(0.3, 700), sample(2, 500), sample(2, 6500)};
  for (CostSample& each : samples) each.milliseconds = 20 * each.megapixels - 0.0005 * each.keypoints;
  const auto fit = fit_cost(samples);
  ASSERT_TRUE(fit.has_value());
  EXPECT_EQ(fit->per_keypoint, 0);
  EXPECT_EQ(fit->constant, 0);
  EXPECT_NEAR(fit->per_megapixel, 19, 1);
}

TEST(CostFit, IsNoneWhereTheSamplesDoNotDecideIt) {
  const std::vector<CostSample> few{sample(1, 10), sample(2, 30)};
  EXPECT_FALSE(fit_cost(few).has_value());
  const std::vector<CostSample> proportional{sample(1, 1000), sample(2, 2000), sample(3, 3000), sample(4, 4000)};
  EXPECT_FALSE(fit_cost(proportional).has_value());
  const std::vector<CostSample> one_size{sample(1, 1000), sample(1, 2000), sample(1, 3000)};
  EXPECT_FALSE(fit_cost(one_size).has_value());
  const std::vector<CostSample> without_keypoints{sample(1, 0), sample(2, 0), sample(3, 0)};
  EXPECT_FALSE(fit_cost(without_keypoints).has_value());
}

}  // namespace
}  // namespace octavo::cli
