#include "engine/core/ellipse.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numbers>

namespace octavo {
namespace {

// glibc 2.36 rounds some arctangents of floats otherwise than 2.41, about one in ten.
TEST(Ellipse, HasAnOrientationThatIsRoundedOnce) {
  std::uint32_t state = 1;
  const auto next = [&] {
    state = state * 1664525 + 1013904223;
    return static_cast<float>(static_cast<std::int32_t>(state)) / 1e9F;
  };
  for (int i = 0; i < 10000; ++i) {
    const float a11 = next(), a21 = next();
    Keypoint k;
    set_ellipse(k, {a11, 0, a21, 1});
    float exact = static_cast<float>(std::atan2(double{a21}, double{a11}));
    if (exact < 0) exact += 2 * std::numbers::pi_v<float>;
    ASSERT_EQ(k.orientation, exact) << a11 << " " << a21;
  }
}

TEST(Ellipse, OfACircleHasItsScaleAndDirection) {
  Keypoint k;
  set_ellipse(k, {0, 2, -2, 0});
  EXPECT_EQ(k.scale, 2);
  EXPECT_EQ(k.orientation, 2 * std::numbers::pi_v<float> - std::numbers::pi_v<float> / 2);
}

}  // namespace
}  // namespace octavo
