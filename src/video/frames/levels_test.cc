#include "video/frames/levels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace octavo::video {
namespace {

TEST(Levels, BytesOfDeepSamples) {
  EXPECT_EQ(byte_of(64, 10, true), 16);
  EXPECT_EQ(byte_of(940, 10, true), 235);
  EXPECT_EQ(byte_of(66, 10, true), 17);  // 16.5 is rounded up
  EXPECT_EQ(byte_of(1023, 10, true), 255);
  EXPECT_EQ(byte_of(65535, 16, false), 255);
  EXPECT_EQ(byte_of(1, 1, false), 255);
  EXPECT_EQ(byte_of(31, 5, false), 255);
  EXPECT_EQ(byte_of(512, 10, false), std::lround(512 * 255 / 1023.0));
  for (unsigned v = 0; v < 256; ++v) {
    EXPECT_EQ(byte_of(v, 8, true), v);
    EXPECT_EQ(byte_of(v, 8, false), v);
  }
}

TEST(Levels, BytesOfARange) {
  for (const int depth : {10, 12, 16}) {
    const unsigned most = (1u << depth) - 1;
    for (unsigned v = 0; v <= most; ++v) {  // the range of all bits changes nothing
      ASSERT_EQ(byte_in_range(v, {0, static_cast<double>(most)}, false), byte_of(v, depth, false)) << depth << ' ' << v;
    }
  }
  const ValueRange kelvin{7000, 8000};
  EXPECT_EQ(byte_in_range(6999, kelvin, false), 0);
  EXPECT_EQ(byte_in_range(7500, kelvin, false), 128);  // 127.5 is rounded up
  EXPECT_EQ(byte_in_range(9000, kelvin, false), 255);
  EXPECT_EQ(byte_in_range(7000, kelvin, true), 16);
  EXPECT_EQ(byte_in_range(8000, kelvin, true), 235);
  // What luma and chroma of 10 bits are by their format.
  const ValueRange usual{64, 940};
  for (unsigned v = 64; v <= 940; ++v) {
    EXPECT_EQ(byte_in_range(v, usual, true), byte_of(v, 10, true));
    EXPECT_EQ(chroma_in_range(v, 10, usual, true), byte_of(v, 10, true));
  }
  EXPECT_EQ(chroma_in_range(512 + 50, 10, {64, 64 + 438}, true), 128 + 25);  // half the range, twice the contrast
}

TEST(Levels, StretchedLuma) {
  for (int y = 0; y < 256; ++y) {
    const double wanted = std::floor((std::clamp(y, 16, 235) - 16) * 255 / 219.0 + 0.5);
    EXPECT_EQ(stretched_luma()[static_cast<std::size_t>(y)], wanted) << y;
  }
}

TEST(Levels, LumaOfGreyIsThatGrey) {
  for (unsigned v = 0; v < 256; ++v) EXPECT_EQ(luma_of(v, v, v), v);
  EXPECT_EQ(luma_of(255, 0, 0), std::lround(0.2126 * 255));
  EXPECT_EQ(luma_of(0, 255, 0), std::lround(0.7152 * 255));
  EXPECT_EQ(luma_of(0, 0, 255), std::lround(0.0722 * 255));
}

// The colours of the bars of ITU-R BT.601 and 709, from Y'CbCr as the standards compute it.
TEST(Levels, ColoursComeBack) {
  struct Case {
    const char* name;
    double red, blue;
  };
  for (const Case& one :
       {Case{"bt709", 0.2126, 0.0722}, Case{"smpte170m", 0.299, 0.114}, Case{"bt2020nc", 0.2627, 0.0593}}) {
    for (const bool limited : {true, false}) {
      const ColourMatrix matrix = colour_matrix(one.name, limited);
      for (int bits = 0; bits < 8; ++bits) {
        const double r = bits & 1 ? 0.8 : 0.1, g = bits & 2 ? 0.8 : 0.1, b = bits & 4 ? 0.8 : 0.1;
        const double y = one.red * r + (1 - one.red - one.blue) * g + one.blue * b;
        const double cb = (b - y) / (2 * (1 - one.blue)), cr = (r - y) / (2 * (1 - one.red));
        const auto stored = [](double x) { return static_cast<std::uint8_t>(std::lround(x)); };
        std::array<std::uint8_t, 3> rgb{};
        matrix.convert(stored(limited ? 16 + 219 * y : 255 * y), stored(128 + (limited ? 224 : 255) * cb),
                       stored(128 + (limited ? 224 : 255) * cr), rgb.data());
        EXPECT_NEAR(rgb[0], 255 * r, 2) << one.name;
        EXPECT_NEAR(rgb[1], 255 * g, 2) << one.name;
        EXPECT_NEAR(rgb[2], 255 * b, 2) << one.name;
      }
    }
  }
  EXPECT_TRUE(is_colour_matrix("smpte240m"));
  EXPECT_FALSE(is_colour_matrix("ycgco"));
}

}  // namespace
}  // namespace octavo::video
