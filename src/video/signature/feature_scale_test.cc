#include "video/signature/feature_scale.h"

#include <gtest/gtest.h>

#include <cmath>

namespace octavo {
namespace {

TEST(FeatureScale, IsTheNearestByteOfTheLogarithm) {
  for (float scale = 0.6F; scale < 20000; scale *= 1.0007F) {
    const double exact = 16 * (std::log2(double{scale}) + 1);
    EXPECT_NEAR(byte_of_scale(scale), exact, 0.5 + 1e-6) << scale;
  }
}

TEST(FeatureScale, ReadsItsOwnScales) {
  for (int byte = 0; byte < 256; ++byte) EXPECT_EQ(byte_of_scale(std::exp2(static_cast<float>(byte) / 16 - 1)), byte);
}

TEST(FeatureScale, KeepsScalesOutOfTheRangeAtItsEnds) {
  EXPECT_EQ(byte_of_scale(0), 0);
  EXPECT_EQ(byte_of_scale(1e9F), 255);
}

}  // namespace
}  // namespace octavo
