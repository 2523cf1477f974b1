#include "video/frames/shown_size.h"

#include <gtest/gtest.h>

namespace octavo::video {
namespace {

TEST(ShownSize, LimitsTheLongestSide) {
  EXPECT_EQ(shown_size({1920, 1080}, {1, 1}, 640), (ImageSize{640, 360}));
  EXPECT_EQ(shown_size({1080, 1920}, {1, 1}, 640), (ImageSize{360, 640}));
  EXPECT_EQ(shown_size({1920, 1080}, {1, 1}, 0), (ImageSize{1920, 1080}));
  EXPECT_EQ(shown_size({16, 16}, {1, 1}, 640), (ImageSize{16, 16}));
  EXPECT_EQ(shown_size({65535, 1}, {1, 1}, 640), (ImageSize{640, 1}));
}

TEST(ShownSize, StretchesTheLongerSideOfPixels) {
  EXPECT_EQ(shown_size({720, 576}, {64, 45}, 0), (ImageSize{1024, 576}));  // PAL, 16:9
  EXPECT_EQ(shown_size({720, 480}, {8, 9}, 0), (ImageSize{720, 540}));     // NTSC, 4:3
  EXPECT_EQ(shown_size({720, 576}, {64, 45}, 640), (ImageSize{640, 360}));
  EXPECT_EQ(shown_size({1440, 1080}, {400, 300}, 1920), (ImageSize{1920, 1080}));
}

TEST(ShownSize, DoubtsStrangePixels) {
  EXPECT_TRUE(is_credible({64, 45}));
  EXPECT_TRUE(is_credible({8, 1}));
  for (const Ratio strange : {Ratio{0, 1}, {1, 0}, {-1, 1}, {9, 1}, {1, 9}, {3'000'000, 3'000'001}}) {
    EXPECT_FALSE(is_credible(strange)) << strange.numerator << ":" << strange.denominator;
  }
}

}  // namespace
}  // namespace octavo::video
