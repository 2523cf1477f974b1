// The plan agrees with Lowe 2004 and OpenCV: sigmas, sizes, number of octaves. Taps sum to one. Indices are mirrored.

#include "engine/scale_space/plan.h"

#include <gtest/gtest.h>

#include <cmath>

namespace octavo {
namespace {

TEST(Plan, SigmasAddUp) {
  for (int layers : {1, 2, 3, 5, 8}) {
    const ScaleSpacePlan plan = plan_scale_space(640, 480, {.layers = layers, .sigma = 1.6, .assumed_blur = 0.5});
    ASSERT_EQ(plan.step.size(), static_cast<std::size_t>(layers) + 2);
    double variance = 1.6 * 1.6;
    EXPECT_NEAR(plan.base.sigma, std::sqrt(1.6 * 1.6 - 1), 1e-12);
    for (int i = 1; i <= layers + 2; ++i) {
      variance += plan.step[static_cast<std::size_t>(i) - 1].sigma * plan.step[static_cast<std::size_t>(i) - 1].sigma;
      EXPECT_NEAR(std::sqrt(variance), 1.6 * std::exp2(double(i) / layers), 1e-11);
    }
  }
}

// The slides of Lo 2022 have a table of 20 σ [pixel of the image]: 0.707 to 2.828 in the first octave, each √2 times
// the one before, and twice these in each later octave, up to 22.627. A difference is compared with 0.03.
TEST(Plan, Ece277HasTheTableOfItsSource) {
  const SiftOptions options = preset("ece277");
  const ScaleSpacePlan plan = plan_scale_space(640, 480, options);
  ASSERT_TRUE(plan.doubled);
  ASSERT_EQ(plan.octaves.size(), 4u);
  ASSERT_EQ(plan.levels(), 5);
  const double first[] = {0.707, 1.0, 1.414, 2.0, 2.828};
  double pixel = 0.5;  // of the octave, in pixels of the image
  for (std::size_t octave = 0; octave < 4; ++octave, pixel *= 2) {
    double variance = plan.base.sigma * plan.base.sigma + 1;  // the doubled image has a blur of 1 pixel
    for (std::size_t level = 0; level < 5; ++level) {
      if (level > 0) variance += plan.step[level - 1].sigma * plan.step[level - 1].sigma;
      EXPECT_NEAR(std::sqrt(variance) * pixel, first[level] * std::exp2(octave), 0.0005 * std::exp2(octave));
    }
  }
  EXPECT_NEAR(22.627, first[4] * 8, 0.004);
  EXPECT_DOUBLE_EQ(options.contrast_threshold / options.layers, 0.03);
  EXPECT_EQ(options.edge_threshold, 10);
}

// tsp 2023: grey by BT.709, six octaves from the image itself, one kernel of 7 taps of σ = √2 repeated. Beyond the
// input of the octave, which has no blur, this makes the blurs √2, 2 and √6.
TEST(Plan, Tsp2023RepeatsOneKernelOfSevenTaps) {
  const SiftOptions options = preset("tsp2023");
  EXPECT_EQ(options.luma, Luma::bt709);
  const ScaleSpacePlan plan = plan_scale_space(640, 480, options);
  EXPECT_FALSE(plan.doubled);
  ASSERT_EQ(plan.octaves.size(), 6u);
  EXPECT_EQ(plan.octaves[0].width, 640);
  EXPECT_EQ(plan.octaves[5].height, 15);
  ASSERT_EQ(plan.levels(), 4);
  EXPECT_EQ(plan.base.weight, std::vector<float>{1});
  ASSERT_EQ(plan.step.size(), 3u);
  const double weights[] = {1, std::exp(-0.25), std::exp(-1.0), std::exp(-2.25)};
  const double sum = weights[0] + 2 * (weights[1] + weights[2] + weights[3]);
  double variance = 0;
  const double sigmas[] = {0, std::sqrt(2), 2, std::sqrt(6)};
  EXPECT_EQ(sigma_of_level(options, 0), 0);
  for (int level = 1; level < 4; ++level) {
    const Taps& taps = plan.step[static_cast<std::size_t>(level) - 1];
    ASSERT_EQ(taps.radius(), 3);
    for (std::size_t k = 0; k <= 3; ++k) EXPECT_NEAR(taps.weight[k], weights[k] / sum, 1e-7);
    variance += taps.sigma * taps.sigma;
    EXPECT_NEAR(std::sqrt(variance), sigmas[level], 1e-7);
    EXPECT_NEAR(sigma_of_level(options, level), sigmas[level], 1e-7);
  }
}

TEST(Plan, LevelsOfGaussianSmoothingGrowGeometrically) {
  EXPECT_DOUBLE_EQ(sigma_of_level({}, 0), 2);
  EXPECT_DOUBLE_EQ(sigma_of_level({}, 4), 4);
  EXPECT_DOUBLE_EQ(sigma_of_level(preset("ece277"), 4), 4 * 1.41421356);
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
    const ScaleSpacePlan plan = plan_scale_space(640, 480, {.layers = 4, .sigma = 2, .blur_truncate = truncate});
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

}  // namespace
}  // namespace octavo
