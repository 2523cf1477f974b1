#include "video/affinity/background.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

namespace octavo {
namespace {

std::vector<float> normal(std::size_t count, float mean, float deviation) {
  std::mt19937 random(5);
  std::vector<float> values(count);
  for (float& value : values) {
    // The sum of twelve even numbers is nearly normal, and the same with every library.
    float sum = -6;
    for (int i = 0; i < 12; ++i) sum += static_cast<float>(random()) / 4294967296.0F;
    value = mean + deviation * sum;
  }
  return values;
}

TEST(BackgroundLimit, IsExceededByOneOfSoMany) {
  const std::vector<float> values = normal(20000, 0.02F, 0.025F);
  EXPECT_NEAR(background_limit(values, 1 / 0.0227501), 0.02 + 2 * 0.025, 0.003);
  EXPECT_NEAR(background_limit(values, 1 / 3.16712e-5), 0.02 + 4 * 0.025, 0.004);
}

TEST(BackgroundLimit, IsThatOfThePairsThatShowDifferentThings) {
  const double alone = background_limit(normal(20000, 0.02F, 0.02F), 1000);
  std::vector<float> values = normal(20000, 0.02F, 0.02F);
  const std::vector<float> same = normal(9000, 0.22F, 0.05F);
  values.insert(values.end(), same.begin(), same.end());
  EXPECT_NEAR(background_limit(values, 1000), alone, 0.02);
}

TEST(BackgroundLimit, IsNeverGreaterThanThatOfAnyClips) {
  const double usual = background_limit({}, 1000);
  EXPECT_NEAR(usual, 0.154, 0.002);
  EXPECT_EQ(background_limit(normal(500, 0.3F, 0.1F), 1000), usual) << "all pairs show the same";
  EXPECT_EQ(background_limit(std::array{0.5F}, 1000), usual);
}

}  // namespace
}  // namespace octavo
