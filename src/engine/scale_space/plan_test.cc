// The plan agrees with Lowe 2004 and OpenCV: sigmas, sizes, number of octaves. Taps sum to one. Indices are mirrored.

#include "engine/scale_space/plan.h"

#include <gtest/gtest.h>

#include <cmath>

namespace octavo {
namespace {

TEST(Plan, SigmasAddUp) {
  for (int layers : {1, 2, 3, 5, 8}) {
    const ScaleSpacePlan plan = plan_scale_space(640, 480, {.layers = layers});
    ASSERT_EQ(plan.step.size(), static_cast<std::size_t>(layers) + 2);
    double variance = 1.6 * 1.6;
    EXPECT_NEAR(plan.base.sigma, std::sqrt(1.6 * 1.6 - 1), 1e-12);
    for (int i = 1; i <= layers + 2; ++i) {
      variance += plan.step[static_cast<std::size_t>(i) - 1].sigma * plan.step[static_cast<std::size_t>(i) - 1].sigma;
      EXPECT_NEAR(std::sqrt(variance), 1.6 * std::exp2(double(i) / layers), 1e-11);
    }
  }
}

TEST(Plan, LevelsOfGaussianSmoothingGrowGeometrically) {
  EXPECT_DOUBLE_EQ(sigma_of_level({}, 0), 1.6);
  EXPECT_DOUBLE_EQ(sigma_of_level({}, 3), 3.2);
  EXPECT_DOUBLE_EQ(sigma_of_level({.layers = 2, .sigma = 1.5}, 4), 6);
}

TEST(Plan, OctavesHalveUntilTooSmall) {
  const ScaleSpacePlan doubled = plan_scale_space(640, 480, {});
  ASSERT_EQ(doubled.octaves.size(), 7u);
  EXPECT_EQ(doubled.octaves[0].width, 1280);
  EXPECT_EQ(doubled.octaves[6].height, 15);
  EXPECT_EQ(plan_scale_space(640, 480, {.first_octave = 0}).octaves.size(), 6u);
  EXPECT_EQ(plan_scale_space(640, 480, {.max_octaves = 2}).octaves.size(), 2u);
  EXPECT_TRUE(plan_scale_space(5, 5000, {}).octaves.empty());
  EXPECT_EQ(plan_scale_space(6, 5000, {}).octaves.size(), 1u);
}

TEST(Taps, AreGaussianAndSumToOne) {
  for (double sigma : {0.1, 0.5, 1.2263, 3.1, 8.0}) {
    const Taps taps = gaussian_taps_cut_at(4, sigma);
    EXPECT_EQ(taps.radius(), std::max(1, static_cast<int>(std::ceil(4 * sigma))));
    double sum = -taps.weight[0];
    for (float w : taps.weight) sum += 2.0 * w;
    EXPECT_NEAR(sum, 1, 1e-6);
    for (int k = 0; k <= taps.radius(); ++k) {
      const double expected = taps.weight[0] * std::exp(-k * k / (2 * sigma * sigma));
      EXPECT_NEAR(taps.weight[static_cast<std::size_t>(k)], expected, 1e-7);
    }
  }
}

// Lowe's filters reach 4σ to each side, the default's 3σ.
TEST(Taps, AreCutOffWhereTheOptionsSay) {
  for (const auto& [truncate, radii] : {std::pair{4.0, std::vector{6, 7, 8, 9, 11, 13}}, {3.0, {4, 5, 6, 7, 8, 10}}}) {
    const ScaleSpacePlan plan =
        plan_scale_space(640, 480, {.layers = 4, .sigma = 2, .assumed_blur = 0, .blur_truncate = truncate});
    EXPECT_EQ(plan.base.radius(), 2 * truncate);
    std::vector<int> found;
    for (const Taps& taps : plan.step) found.push_back(taps.radius());
    EXPECT_EQ(found, radii);
  }
}

TEST(Mirrored, GoesBackAndForth) {
  const int four[] = {0, 1, 2, 3, 2, 1};
  for (int i = -20; i < 20; ++i) EXPECT_EQ(mirrored(i, 4), four[(i + 60) % 6]);
  EXPECT_EQ(mirrored(-7, 1), 0);
  EXPECT_EQ(mirrored(5, 2), 1);
}

TEST(Repeated, StaysAtTheEdges) {
  for (int i = -20; i < 20; ++i) EXPECT_EQ(pixel_read_at(i, 4, Border::repeated), i < 0 ? 0 : i > 3 ? 3 : i);
  EXPECT_EQ(pixel_read_at(-1, 4, Border::mirrored), 1);
}

}  // namespace
}  // namespace octavo
