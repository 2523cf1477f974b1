// The homography of a changed image is right: each point of the photograph is where the homography maps it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "octavo/error.h"
#include "study/evaluate/distort.h"
#include "study/evaluate/distortion.h"

namespace octavo {
namespace {

/// A smooth pattern whose value is known at every point.
double pattern(double x, double y) { return 128 + 60 * std::sin(x / 9) + 50 * std::cos(y / 11 + x / 40); }

Image smooth(int width, int height) {
  Image image(width, height, 1, PixelType::u8);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) image.row(y)[x] = static_cast<std::byte>(std::lround(pattern(x, y)));
  }
  return image;
}

std::array<double, 2> original_of(const std::array<double, 9>& m, double u, double v) {
  // Cramer's rule on x·(m0 − u·m6) + y·(m1 − u·m7) = u·m8 − m2, and the corresponding equation for v.
  const double a = m[0] - u * m[6], b = m[1] - u * m[7], c = u * m[8] - m[2];
  const double d = m[3] - v * m[6], e = m[4] - v * m[7], f = v * m[8] - m[5];
  const double determinant = a * e - b * d;
  return {(c * e - b * f) / determinant, (a * f - c * d) / determinant};
}

TEST(Distortions, EveryPixelShowsTheOriginal) {
  const Image image = smooth(200, 150);
  for (const Distortion& kind : distortions()) {
    if (!kind.moves) continue;
    for (const double strength : kind.strengths) {
      if (kind.name == "scale" && strength < 0.5)
        continue;  // 4 or more pixels become one, which no longer has the point's value
      SCOPED_TRACE(std::string(kind.name) + " " + std::to_string(strength));
      const Distorted seen = distort(image.view(), kind.name, strength);
      ASSERT_LE(seen.image.width(), 200);
      double sum = 0, difference = 0;
      for (int y = 0; y < seen.image.height(); ++y) {
        for (int x = 0; x < seen.image.width(); ++x) {
          const auto [x_a, y_a] = original_of(seen.b_from_a, x, y);
          ASSERT_GT(x_a, -0.6);
          ASSERT_GT(y_a, -0.6);
          ASSERT_LT(x_a, 199.6);
          ASSERT_LT(y_a, 149.6);
          const double error = std::to_integer<int>(seen.image.row(y)[x]) - pattern(x_a, y_a);
          sum += std::abs(error);
          difference += error;
        }
      }
      const double pixels = static_cast<double>(seen.image.width()) * seen.image.height();
      EXPECT_LT(sum / pixels, 1.0);  // grey levels; half a pixel's shift would be 2 or more
      EXPECT_LT(std::abs(difference) / pixels, 0.2);
    }
  }
}

TEST(Distortions, DegradationsKeepPlacesAndSize) {
  const Image image = smooth(120, 90);
  for (const Distortion& kind : distortions()) {
    if (kind.moves) continue;
    const double strength = kind.strengths[kind.strengths.size() / 2];
    const Distorted seen = distort(image.view(), kind.name, strength);
    EXPECT_EQ(seen.image.width(), 120);
    EXPECT_EQ(seen.image.height(), 90);
    EXPECT_EQ(seen.b_from_a, (std::array<double, 9>{1, 0, 0, 0, 1, 0, 0, 0, 1}));
    EXPECT_FALSE(std::equal(seen.image.row(10), seen.image.row(10) + 120, image.row(10))) << kind.name;
  }
}

TEST(Distortions, MirrorsAndBrightens) {
  const Image image = smooth(120, 90);
  const Image mirrored = distort(image.view(), "mirror", 90).image,
              brighter = distort(image.view(), "brightness", 64).image,
              darker = distort(image.view(), "brightness", -64).image;
  ASSERT_EQ(mirrored.width(), 120);
  ASSERT_EQ(mirrored.height(), 90);
  for (int y = 0; y < 90; ++y) {
    for (int x = 0; x < 120; ++x) {
      const int grey = std::to_integer<int>(image.row(y)[x]);
      EXPECT_NEAR(std::to_integer<int>(mirrored.row(y)[119 - x]), grey, 2);
      EXPECT_EQ(std::to_integer<int>(brighter.row(y)[x]), std::min(grey + 64, 255));
      EXPECT_EQ(std::to_integer<int>(darker.row(y)[x]), std::max(grey - 64, 0));
    }
  }
}

TEST(Distortions, NoiseIsThatOfItsSeed) {
  const Image image = smooth(300, 200);
  const auto noisy = [&](std::uint64_t seed) { return distort(image.view(), "noise", 10, seed).image; };
  const Image one = noisy(1), again = noisy(1), other = noisy(2);
  double square = 0;
  bool differs = false;
  for (int y = 0; y < 200; ++y) {
    EXPECT_TRUE(std::equal(one.row(y), one.row(y) + 300, again.row(y)));
    differs = differs || !std::equal(one.row(y), one.row(y) + 300, other.row(y));
    for (int x = 0; x < 300; ++x) {
      square += std::pow(std::to_integer<int>(one.row(y)[x]) - std::to_integer<int>(image.row(y)[x]), 2);
    }
  }
  EXPECT_TRUE(differs);
  EXPECT_NEAR(std::sqrt(square / 60000), 10, 0.5);
}

TEST(Distortions, ColourStaysAlphaAndDepthGo) {
  Image deep(40, 30, 4, PixelType::u16);
  for (int y = 0; y < 30; ++y) std::fill(deep.row(y), deep.row(y) + 40 * 8, std::byte{0x80});
  const Image plain = undistorted(deep.view());
  EXPECT_EQ(plain.channels(), 3);
  EXPECT_EQ(plain.type(), PixelType::u8);
  EXPECT_EQ(std::to_integer<int>(plain.row(0)[0]), 128);
  EXPECT_EQ(distort(deep.view(), "jpeg", 90).image.channels(), 3);
  EXPECT_EQ(distort(deep.view(), "scale", 2).image.width(), 40);
}

TEST(Distortions, StrengthsOutOfRangeAreErrors) {
  const Image image = smooth(200, 150);
  for (const Distortion& kind : distortions()) {
    SCOPED_TRACE(std::string(kind.name));
    ASSERT_LT(kind.least, kind.most);
    for (const double strength : kind.strengths) EXPECT_TRUE(strength >= kind.least && strength <= kind.most);
    for (const double strength : {kind.least - 1, kind.most * 1.001, std::nextafter(kind.least, -HUGE_VAL), HUGE_VAL,
                                  -HUGE_VAL, double{NAN}, 2.8e8, 1e300}) {
      try {
        distort(image.view(), kind.name, strength);
        ADD_FAILURE() << strength << " was taken";
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_option);
        EXPECT_NE(std::string(error.what()).find(std::string(kind.name) + " is "), std::string::npos) << error.what();
      }
    }
    // Each end of the range gives an image, or an error about its size.
    for (const double strength : {kind.least, kind.most}) {
      try {
        EXPECT_GE(distort(image.view(), kind.name, strength).image.height(), 16);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
      }
    }
  }
}

TEST(Distortions, TooLargeImagesAreErrors) {
  const auto refused = [](const Image& image, std::string_view name, double strength, const std::string& words) {
    try {
      distort(image.view(), name, strength);
      ADD_FAILURE() << name << " was made";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  const Image wide = smooth(32767, 20), widest = smooth(65501, 20);
  refused(wide, "scale", 2, "32767 × 20 pixels is too large to be seen from elsewhere: the most is 32766");
  refused(smooth(20, 32767), "shear", 0, "too large");
  refused(widest, "jpeg", 50, "65501 × 20 pixels cannot be changed: as JPEG it may have 65500");
  EXPECT_EQ(distort(smooth(32766, 20).view(), "rotation", 180).image.width(), 32766);
  EXPECT_EQ(distort(smooth(65500, 16).view(), "jpeg", 50).image.width(), 65500);
  for (const auto* name : {"noise", "blur", "contrast"}) {
    EXPECT_EQ(distort(widest.view(), name, 1).image.width(), 65501);
  }
}

TEST(Distortions, ThatCannotBeAreErrors) {
  const Image image = smooth(40, 30), tiny = smooth(20, 20);
  EXPECT_THROW(distort(image.view(), "fog", 1), Error);
  EXPECT_THROW(distort(image.view(), "scale", 0), Error);
  EXPECT_THROW(distort(image.view(), "jpeg", 101), Error);
  EXPECT_THROW(distort(image.view(), "perspective", 1), Error);
  EXPECT_THROW(distort(tiny.view(), "scale", 0.25), Error);
  EXPECT_THROW(distort({}, "blur", 1), Error);
}

}  // namespace
}  // namespace octavo
