// The weights against double precision, the tables against their definition, and images with known results.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "engine/maths/scalar.h"
#include "engine/trilateral/trilateral.h"
#include "engine/trilateral/trilateral_work.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/trilateral.h"

namespace octavo {
namespace {

using namespace maths;
#include "engine/trilateral/trilateral_maths.h"

TEST(TrilateralWeight, IsATwosPower) {
  double worst = 0;
  for (int i = 0; i <= 126 * 4096; ++i) {
    const float y = static_cast<float>(i) / 4096 + static_cast<float>(i % 7) * 1e-5f;
    if (y > 126) break;
    worst = std::max(worst, std::abs(two_to_minus(y) / std::exp2(-static_cast<double>(y)) - 1));
  }
  EXPECT_LT(worst, 1.1e-4);
  EXPECT_GT(worst, 9e-5);
  EXPECT_EQ(two_to_minus(0), 1);
  for (const float y : {127.0f, 128.0f, 1e30f, std::numeric_limits<float>::infinity()}) EXPECT_EQ(two_to_minus(y), 0);
  for (const float y : {126.2f, 126.5f, 126.9f}) EXPECT_LE(two_to_minus(y), std::exp2(-126.0f));
}

TEST(TrilateralPlan, TablesAreThoseOfTheDefinition) {
  for (const double sigma : {0.5, 1.0, 1.6, 3.1, 8.0, 32.0}) {
    const TrilateralPlan plan = plan_trilateral({.spatial_sigma = sigma});
    ASSERT_EQ(plan.reach, static_cast<int>(std::floor(5.77 * sigma)));
    EXPECT_EQ(plan.smoothing, std::max(static_cast<int>(sigma) - 1, 0) / 2);
    for (int i = 0; i <= plan.reach; ++i) {
      const std::size_t at = static_cast<std::size_t>(i);
      const double weight = std::exp(-i * i / (2 * sigma * sigma));
      EXPECT_NEAR(plan.row_weight[at], weight, 1e-7 * weight);
      EXPECT_NEAR(std::exp2(-static_cast<double>(plan.exponent[at])), weight, 2e-6 * weight);
      // All pixels of a row up to its half width are in the disc. The next pixel is not, and has a weight below 2^-24.
      const int half = plan.disc[at];
      EXPECT_LE(std::hypot(i, half), 5.77 * sigma);
      EXPECT_GT(std::hypot(i, half + 1), 5.77 * sigma);
      EXPECT_LT(std::exp(-(std::pow(half + 1, 2) + i * i) / (2 * sigma * sigma)), std::exp2(-24));
    }
  }
}

TEST(TrilateralPlan, WindowsAreCutOffWhereTheyAreAskedToBe) {
  const TrilateralPlan plan = plan_trilateral({.spatial_sigma = 2.5, .trilateral_truncate = 4});
  ASSERT_EQ(plan.reach, 10);
  for (int i = 0; i <= plan.reach; ++i) {
    const int half = plan.disc[static_cast<std::size_t>(i)];
    EXPECT_LE(std::hypot(i, half), 10);
    EXPECT_GT(std::hypot(i, half + 1), 10);
  }
  EXPECT_THROW(validate(TrilateralOptions{.trilateral_truncate = 6}), Error);
}

TEST(TrilateralPlan, LevelsGoAsFarAsWindowsDo) {
  const TrilateralPlan plan = plan_trilateral({.spatial_sigma = 1.6});  // windows reach 0, 1, 2, 4, 8, 9 pixels
  EXPECT_EQ(plan.shape(640, 480).most_levels, 5);
  EXPECT_EQ(plan.shape(640, 17).most_levels, 4);
  EXPECT_EQ(plan.shape(1, 640).most_levels, 0);
  const TrilateralPlan certified =
      plan_trilateral({.spatial_sigma = 1.6, .trilateral_window = TrilateralWindow::certified});
  EXPECT_EQ(certified.shape(2000, 3000).most_levels, 9);
  EXPECT_EQ(certified.shape(640, 480).most_levels, 8);
  EXPECT_EQ(plan_trilateral({.spatial_sigma = 32}).shape(1024, 1024).most_levels, 9);
  EXPECT_EQ(plan_trilateral({.spatial_sigma = 0.5}).shape(1024, 1024).most_levels, 2);
}

Image drawn(int width, int height, const std::function<float(int, int)>& value) {
  Image image(width, height, 1, PixelType::f32);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) reinterpret_cast<float*>(image.row(y))[x] = value(x, y);
  }
  return image;
}

float at(const Image& image, int x, int y) { return reinterpret_cast<const float*>(image.row(y))[x]; }

struct Answer {
  Plane image;
  TrilateralLevels levels;
  [[nodiscard]] int level(int x, int y) const { return levels.level[static_cast<std::size_t>(y * levels.width + x)]; }
};

Answer filtered(const Image& image, const TrilateralOptions& options) {
  Answer answer;
  const auto engine = make_trilateral_engine(options, {.name = "reference"});
  engine->filter(image.view(), answer.image);
  engine->fetch_levels(answer.levels);
  return answer;
}

void expect_unchanged(const Image& image, const TrilateralOptions& options) {
  const Answer answer = filtered(image, options);
  for (int y = 0; y < image.height(); ++y) {
    ASSERT_EQ(std::memcmp(answer.image.row(y), image.row(y), static_cast<std::size_t>(image.width()) * 4), 0) << y;
  }
}

TEST(Trilateral, FlatImagesAndSinglePixelsComeOutAsTheyAre) {
  for (const double sigma : {0.5, 1.6, 6.0, 32.0}) {
    expect_unchanged(drawn(33, 21, [](int, int) { return 0.3f; }), {.spatial_sigma = sigma});
    expect_unchanged(drawn(33, 21, [](int, int) { return 0.0f; }), {.spatial_sigma = sigma});
    expect_unchanged(drawn(1, 1, [](int, int) { return 0.7f; }), {.spatial_sigma = sigma});
  }
  // With two pixels no neighbourhood of level 1 fits into the image.
  expect_unchanged(drawn(1, 2, [](int, int y) { return y == 0 ? 0.1f : 0.9f; }), {.spatial_sigma = 2});
}

// The window tilts with the image, so a slope stays unchanged, except for the effect of its last column and row.
TEST(Trilateral, SlopesStay) {
  const auto slope = [](int x, int y) {
    return 0.1f + 0.004f * static_cast<float>(x) + 0.002f * static_cast<float>(y);
  };
  const Image image = drawn(70, 60, slope);
  for (const double sigma : {1.0, 4.0}) {
    const Answer answer = filtered(image, {.spatial_sigma = sigma});
    const int margin = static_cast<int>(5.77 * sigma) + 2;
    for (int y = margin; y < 60 - margin; ++y) {
      for (int x = margin; x < 70 - margin; ++x)
        EXPECT_NEAR(answer.image.row(y)[x], slope(x, y), 1e-6) << x << " " << y;
    }
  }
}

// A step with little noise on either side: the noise disappears, the step stays as steep as before.
TEST(Trilateral, NoiseGoesAndStepsStay) {
  const auto noise = [](int x, int y) {
    return static_cast<float>((x * 7919 + y * 104729 + x * y * 31) % 17 - 8) / 1600;
  };
  const Image image = drawn(64, 64, [&](int x, int y) { return (x < 32 ? 0.2f : 0.8f) + noise(x, y); });
  const Answer answer = filtered(image, {.spatial_sigma = 2});
  double before = 0, after = 0;
  for (int y = 12; y < 52; ++y) {
    EXPECT_LT(answer.image.row(y)[31], 0.23f);
    EXPECT_GT(answer.image.row(y)[32], 0.77f);
    for (int x = 12; x < 26; ++x) {
      before += std::pow(at(image, x, y) - 0.2, 2);
      after += std::pow(answer.image.row(y)[x] - 0.2, 2);
    }
  }
  EXPECT_LT(after, 0.1 * before);
}

// One column of large gradients: the level of a pixel is its distance to the column, minus one.
TEST(Trilateral, LevelsAreDistances) {
  const Image image = drawn(64, 64, [](int x, int) { return x <= 30 ? 0.2f : 0.6f; });
  const TrilateralPlan plan = plan_trilateral({.spatial_sigma = 4});
  const Answer answer = filtered(image, {.spatial_sigma = 4});
  for (int x = 0; x < 64; ++x) {
    const int distance = std::abs(x - 30), expected = x == 30 ? 0 : distance - 1;
    EXPECT_EQ(answer.level(x, 33), std::min(expected, plan.shape(64, 64).most_levels)) << x;
  }
}

// Step 5 of trilateral.h in double and with exact weights, for every pixel that `answer` gives a window. The polynomial
// of the weights and the rounding of floats together change a grey value by less than 2e-5.
TEST(Trilateral, WindowsAreThoseOfTheFormula) {
  const int side = 48;
  const Image image = drawn(side, side, [](int x, int y) {
    const float bright = x + y < 50 ? 0.9f : 0.1f;
    return bright + static_cast<float>((x * 7919 + y * 104729 + x * y * 31) % 17 - 8) / 120;
  });
  const double sigma = 2.5, reach = 5.77 * sigma;
  const Answer answer = filtered(image, {.spatial_sigma = sigma});
  const auto gradient_x = [&](int x, int y) { return x + 1 < side ? at(image, x + 1, y) - at(image, x, y) : 0.0; };
  const auto gradient_y = [&](int x, int y) { return y + 1 < side ? at(image, x, y + 1) - at(image, x, y) : 0.0; };
  double least = 1, most = 0;
  for (int i = 0; i < side * side; ++i) {
    const double size = std::hypot(gradient_x(i % side, i / side), gradient_y(i % side, i / side));
    least = std::min(least, size);
    most = std::max(most, size);
  }
  const double sigma_r = 0.15 * (most - least);
  double worst = 0, moved = 0;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const int half = std::min((1 << answer.level(x, y)) / 2, static_cast<int>(reach));
      double weights = 0, differences = 0;
      for (int n = -half; n <= half; ++n) {
        for (int m = -half; m <= half; ++m) {
          if (x + m < 0 || x + m >= side || y + n < 0 || y + n >= side || std::hypot(m, n) > reach) continue;
          const double d = at(image, x + m, y + n) - (at(image, x, y) + gradient_x(x, y) * m + gradient_y(x, y) * n);
          const double w = std::exp(-(m * m + n * n) / (2 * sigma * sigma) - d * d / (2 * sigma_r * sigma_r));
          weights += w;
          differences += d * w;
        }
      }
      const double change = differences / weights;
      const double expected = std::clamp(at(image, x, y) + change, 0.0, 1.0);
      worst = std::max(worst, std::abs(answer.image.row(y)[x] - expected));
      moved = std::max(moved, std::abs(change));
    }
  }
  EXPECT_LT(worst, 2e-5);
  EXPECT_GT(moved, 0.02);
}

TEST(Trilateral, GainByPowersOfTwoChangesNothingElse) {
  const auto value = [](int x, int y) { return static_cast<float>((x * x + 3 * x * y + y * 5) % 97) / 97; };
  const Image bright = drawn(40, 30, value);
  const Answer expected = filtered(bright, {.spatial_sigma = 3.5});
  for (const int halvings : {1, 7, 20, 60}) {
    const Image dark = drawn(40, 30, [&](int x, int y) { return std::ldexp(value(x, y), -halvings); });
    const Answer answer = filtered(dark, {.spatial_sigma = 3.5});
    EXPECT_EQ(answer.levels, expected.levels);
    for (int y = 0; y < 30; ++y) {
      for (int x = 0; x < 40; ++x) {
        ASSERT_EQ(std::ldexp(answer.image.row(y)[x], halvings), expected.image.row(y)[x]) << halvings;
      }
    }
  }
  // Contrast below 2^-100 counts as none.
  expect_unchanged(drawn(40, 30, [&](int x, int y) { return std::ldexp(value(x, y), -105); }), {});
}

TEST(TrilateralWork, CountsTapsAndLanesThatWait) {
  const TrilateralPlan plan = plan_trilateral({.spatial_sigma = 1.6});
  const auto work_of = [&](std::vector<std::uint8_t> level, const TrilateralSchedule& schedule) {
    const int width = static_cast<int>(level.size()) / 8;
    return trilateral_work({width, 8, std::move(level)}, plan, schedule);
  };
  std::vector<std::uint8_t> levels(64, 0);  // 8×8
  levels[3] = levels[4] = levels[5] = 1;    // windows of 9 pixels
  levels[6] = 2;                            // of 25
  levels[63] = 3;                           // of 81
  TrilateralWork work = work_of(levels, {.tile_width = 8, .tile_height = 4, .lanes = 2});
  ASSERT_EQ(work.windows.size(), 4u);
  EXPECT_EQ(work.windows[1].pixels, 3);
  EXPECT_EQ(work.windows[2].taps, 25);
  EXPECT_EQ(work.windows[3].reach, 4);
  const double taps = 3 * 9 + 25 + 81;
  EXPECT_DOUBLE_EQ(work.taps, (taps + 59) / 64);  // a pixel without a window counts as one tap
  // The upper tile: 25 with 9, then 9 with 9. The lower one: 81 alone.
  EXPECT_DOUBLE_EQ(work.imbalance, (2 * 25 + 2 * 9 + 2 * 81) / taps);
  // The first two pixels of level 1 are a run. The rest of the row is processed in order.
  EXPECT_DOUBLE_EQ(work_of(levels, {.tile_width = 8, .tile_height = 4, .lanes = 2, .runs = true}).imbalance,
                   (2 * 9 + 2 * 25 + 2 * 81) / taps);
  EXPECT_DOUBLE_EQ(work_of(levels, {}).imbalance, 1);
  EXPECT_DOUBLE_EQ(
      work_of(std::vector<std::uint8_t>(64, 0), {.tile_width = 8, .tile_height = 8, .lanes = 4, .runs = true})
          .imbalance,
      1);
  // All pixels in order are one tile: 81 with 25, then 9 with 9, then 9 alone.
  EXPECT_DOUBLE_EQ(work_of(levels, {.lanes = 2, .whole_image = true}).imbalance, (2 * 81 + 2 * 9 + 2 * 9) / taps);
  for (const int lanes : {1, 2, 3, 4, 32}) {
    EXPECT_DOUBLE_EQ(work_of(levels, {.lanes = lanes, .whole_image = true}).imbalance,
                     work_of(levels, {.tile_width = 8, .tile_height = 8, .lanes = lanes}).imbalance)
        << lanes;
  }
}

TEST(Trilateral, OptionsAreChecked) {
  for (const double sigma : {0.49, 32.1, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(make_trilateral_engine({.spatial_sigma = sigma}, {.name = "reference"}), Error) << sigma;
  }
  EXPECT_THROW(make_trilateral_engine({}, {.name = "cpu", .isa = "abacus"}), Error);
}

TEST(Trilateral, ImagesAreCheckedAndAFilterIsUsableAfterwards) {
  Trilateral filter({}, {.name = "cpu", .threads = 1});
  const Image good = drawn(20, 10, [](int x, int y) { return static_cast<float>((x * 7 + y * 3) % 11) / 11; });
  const Image expected = filter.filter(good.view());
  for (const float wrong :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -0.1f, 1.1f}) {
    const Image bad = drawn(20, 10, [&](int x, int y) { return x == 7 && y == 3 ? wrong : 0.5f; });
    try {
      filter.filter(bad.view());
      FAIL() << wrong;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
      EXPECT_NE(std::string(error.what()).find("(7, 3)"), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(filter.filter({}), Error);
  const Image again = filter.filter(good.view());
  EXPECT_EQ(std::memcmp(again.row(0), expected.row(0), 20 * 10 * sizeof(float)), 0);
}

}  // namespace
}  // namespace octavo
