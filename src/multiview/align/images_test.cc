// The images that show an alignment, drawn with known homographies.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>

#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/multiview/align.h"

namespace octavo {
namespace {

using H = std::array<double, 9>;
constexpr H identity{1, 0, 0, 0, 1, 0, 0, 0, 1};

/// b = a + (dx, dy)
H shift(double dx, double dy) { return {1, 0, dx, 0, 1, dy, 0, 0, 1}; }

/// A smooth grey image of the part of a plane that begins at (left, top).
Image scene(int width, int height, double left = 0, double top = 0, double step = 1) {
  Image image(width, height, 1, PixelType::u8);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double value = 120 + 50 * std::sin((left + step * x) / 9) + 50 * std::cos((top + step * y) / 7);
      image.row(y)[x] = static_cast<std::byte>(std::lround(value));
    }
  }
  return image;
}

const std::byte* pixel_of(const Image& image, int x, int y) {
  return image.row(y) + static_cast<std::ptrdiff_t>(image.channels()) * x;
}

int grey(const Image& image, int x, int y) {
  const std::byte* pixel = pixel_of(image, x, y);
  EXPECT_EQ(pixel[0], pixel[1]);
  EXPECT_EQ(pixel[0], pixel[2]);
  return std::to_integer<int>(pixel[0]);
}

int alpha(const Image& image, int x, int y) { return std::to_integer<int>(pixel_of(image, x, y)[3]); }

int grey1(const Image& image, int x, int y) { return std::to_integer<int>(image.row(y)[x]); }

constexpr BlendOptions mean{.blend = Blending::mean};

Image flat(int width, int height, int value) {
  Image image(width, height, 1, PixelType::u8);
  for (int y = 0; y < height; ++y) std::fill(image.row(y), image.row(y) + width, static_cast<std::byte>(value));
  return image;
}

TEST(Blend, AnImageOntoItself) {
  const Image a = scene(61, 47);
  const Image both = blend(a.view(), a.view(), identity);
  ASSERT_EQ(both.width(), 61);
  ASSERT_EQ(both.height(), 47);
  ASSERT_EQ(both.channels(), 4);
  for (int y = 0; y < 47; ++y) {
    for (int x = 0; x < 61; ++x) ASSERT_NEAR(grey(both, x, y), grey1(a, x, y), 1) << x << " " << y;
  }
}

TEST(Blend, TheCanvasHoldsBoth) {
  const Image a = scene(60, 50), b = scene(40, 50, -25, 10);  // B's pixel (0, 0) lies at (−25, 10) of A
  const Image both = blend(a.view(), b.view(), shift(25, -10));
  ASSERT_EQ(both.width(), 85);
  ASSERT_EQ(both.height(), 60);
  for (int y = 0; y < 60; ++y) {
    for (int x = 0; x < 85; ++x) {
      const int ax = x - 25, bx = x, by = y - 10;
      const bool in_a = ax >= 0 && y < 50, in_b = bx < 40 && by >= 0;
      const int expected = in_a ? grey1(a, ax, y) : in_b ? grey1(b, bx, by) : 255;
      ASSERT_NEAR(grey(both, x, y), expected, 4) << x << " " << y;  // bands reach to where no image is
      ASSERT_EQ(alpha(both, x, y), in_a || in_b ? 255 : 0) << x << " " << y;
    }
  }
}

TEST(Blend, TheMeanIsHalfAndHalfWhereBothAre) {
  const Image both = blend(flat(50, 40, 200).view(), flat(50, 40, 100).view(), shift(-20, 0), mean);
  EXPECT_EQ(both.width(), 70);
  EXPECT_EQ(grey(both, 5, 20), 200);
  EXPECT_EQ(grey(both, 35, 20), 150);
  EXPECT_EQ(grey(both, 65, 20), 100);
}

TEST(Blend, ExposureIsThatOfA) {
  Image a = scene(200, 120), b = scene(200, 120, 60, 10);
  for (int y = 0; y < 120; ++y) {
    for (int x = 0; x < 200; ++x) b.row(y)[x] = static_cast<std::byte>(std::lround(0.7 * grey1(b, x, y)));
  }
  const Image both = blend(a.view(), b.view(), shift(-60, -10));
  const Image wanted = scene(260, 130);
  ASSERT_EQ(both.width(), 260);
  ASSERT_EQ(both.height(), 130);
  for (int y = 0; y < 130; ++y) {
    for (int x = 0; x < 260; ++x) {
      if (alpha(both, x, y) == 0) continue;
      ASSERT_NEAR(grey(both, x, y), grey1(wanted, x, y), 6) << x << " " << y;
    }
  }
  const Image as_it_is = blend(a.view(), b.view(), shift(-60, -10), {.exposure = false});
  EXPECT_NEAR(grey(as_it_is, 255, 60), 0.7 * grey1(wanted, 255, 60), 2);
}

TEST(Blend, ASeamIsNotSeen) {
  // The images differ by a brightness that the gain does not explain. Cut without bands it is a step at the seam;
  // with bands it is spread.
  const auto steepest = [](const Image& image) {
    int most = 0;
    for (int x = 1; x < image.width(); ++x)
      most = std::max(most, std::abs(grey(image, x, 100) - grey(image, x - 1, 100)));
    return most;
  };
  const Image a = flat(300, 200, 100), b = flat(300, 200, 130);
  const BlendOptions cut{.exposure = false, .bands = 0}, soft{.exposure = false};
  EXPECT_EQ(steepest(blend(a.view(), b.view(), shift(-150, 0), cut)), 30);
  EXPECT_LE(steepest(blend(a.view(), b.view(), shift(-150, 0), soft)), 3);
}

TEST(Blend, ThePixelsOfAAreKeptAwayFromTheSeam) {
  const Image a = scene(300, 200), b = scene(300, 200, 200, 0);
  const Image both = blend(a.view(), b.view(), shift(-200, 0), {.exposure = false, .bands = 2});
  for (int y = 0; y < 200; ++y) {
    for (int x = 0; x < 150; ++x) ASSERT_EQ(grey(both, x, y), grey1(a, x, y)) << x << " " << y;
  }
}

TEST(Blend, AnImageWithinTheOtherIsShown) {
  const Image a = flat(200, 160, 50), b = flat(80, 60, 200);
  const BlendOptions cut{.exposure = false, .bands = 0};
  const Image outer = blend(a.view(), b.view(), shift(-60, -50), cut);
  EXPECT_EQ(grey(outer, 100, 80), 200);
  EXPECT_EQ(grey(outer, 20, 20), 50);
  const Image inner = blend(b.view(), a.view(), shift(60, 50), cut);
  EXPECT_EQ(inner.width(), 200);
  EXPECT_EQ(grey(inner, 100, 80), 200);
  EXPECT_EQ(grey(inner, 20, 20), 50);
}

TEST(Blend, WhiteStaysWhiteAtEdgesBetweenPixels) {
  const Image white = flat(40, 40, 255);
  const Image both = blend(white.view(), white.view(), {1.01, 0.1, -7.3, -0.1, 0.99, 3.6, 0, 0, 1});
  ASSERT_GE(both.width(), 47);
  int seen_white = 0;
  for (int y = 0; y < both.height(); ++y) {
    for (int x = 0; x < both.width(); ++x) {
      ASSERT_GE(grey(both, x, y), 254);
      seen_white += alpha(both, x, y) == 255;
    }
  }
  EXPECT_GE(seen_white, 40 * 40);
  EXPECT_LT(seen_white, both.width() * both.height());
}

TEST(Blend, AFinerImageIsAveraged) {
  // B shows the same plane with 5 pixels for one, so A's (x, y) lies at B's (5x + 2, 5y + 2).
  const Image a = scene(60, 50), b = scene(300, 250, -0.4, -0.4, 0.2);
  const Image both = blend(a.view(), b.view(), {5, 0, 2, 0, 5, 2, 0, 0, 1});
  EXPECT_EQ(both.width(), 60);
  EXPECT_EQ(both.height(), 50);
  for (int y = 1; y < 49; ++y) {
    for (int x = 1; x < 59; ++x) ASSERT_NEAR(grey(both, x, y), grey1(a, x, y), 2) << x << " " << y;
  }
}

TEST(Blend, AHorizonInTheImageDoesNotMakeTheCanvasHuge) {
  const Image a = scene(64, 48), b = scene(80, 60);
  // w = 1 − x/100: the horizon of A's plane is at x = 100, and B reaches it.
  const Image both = blend(a.view(), b.view(), {1, 0, 0, 0, 1, 0, -0.01, 0, 1});
  EXPECT_LE(both.width(), 64 + 2 * 80);
  EXPECT_LE(both.height(), 48 + 2 * 60);
  EXPECT_GE(both.width(), 64);
}

TEST(Blend, WhereBIsDrawnFourTimesAsLargeAsInTheOverlapItIsCut) {
  // A turned camera: B continues A to the right, and is drawn the larger the farther from A. Without the limit the
  // canvas has the width 64 + 300.
  const double focal = 40, c = std::cos(0.9), s = std::sin(0.9);
  const H h{c, 0, -s * focal, 0, 1, 0, s / focal, 0, c};  // both principal points at (0, 0)
  const Image both = blend(flat(64, 48, 100).view(), flat(300, 48, 200).view(), h);
  EXPECT_LT(both.width(), 300);
  EXPECT_GT(both.width(), 64);
}

TEST(Blend, TheSignOfTheHomographyDoesNotMatter) {
  const Image a = scene(40, 40);
  const H h{1, 0, 60, 0, 1, -30, 0.01, 0, 1};
  H negative = h;
  for (double& number : negative) number = -number;
  const Image one = blend(a.view(), a.view(), h), other = blend(a.view(), a.view(), negative);
  ASSERT_EQ(one.width(), other.width());
  ASSERT_EQ(one.height(), other.height());
  for (int y = 0; y < one.height(); ++y) EXPECT_TRUE(std::equal(one.row(y), one.row(y) + one.stride(), other.row(y)));
}

TEST(Blend, NothingIsSeenBehindTheHorizon) {
  // u = x − 35, v = −0.15 y, w = 1.5 − 0.05 x: the horizon is at x = 30. Only points behind it, 31.7 ≤ x ≤ 35, fall
  // into B.
  const Image both = blend(flat(40, 40, 10).view(), flat(40, 40, 255).view(), {1, 0, -35, 0, -0.15, 0, -0.05, 0, 1.5});
  ASSERT_EQ(both.width(), 40);
  ASSERT_EQ(both.height(), 40);
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 40; ++x) ASSERT_EQ(grey(both, x, y), 10) << x << " " << y;
  }
}

TEST(Blend, AnImageThatIsNotSeenLeavesTheOther) {
  const Image a = scene(30, 20);
  const Image both = blend(a.view(), a.view(), shift(1e7, 0));
  ASSERT_EQ(both.width(), 30);
  ASSERT_EQ(both.height(), 20);
  EXPECT_EQ(grey(both, 10, 10), grey1(a, 10, 10));
}

// What alpha of one image hides the other shows, and what that of both hides is transparent.
TEST(Blend, WhatAlphaHidesIsNotDrawn) {
  Image a(40, 20, 4, PixelType::u8), b(40, 20, 4, PixelType::u8);
  const auto set = [](Image& image, int x, int y, int value, int alpha) {
    std::memset(image.row(y) + 4 * x, value, 3);
    image.row(y)[4 * x + 3] = static_cast<std::byte>(alpha);
  };
  for (int y = 0; y < 20; ++y) {
    for (int x = 0; x < 40; ++x) {
      set(a, x, y, 100, x < 20 ? 255 : 0);
      set(b, x, y, 200, x < 30 ? 255 : 0);
    }
  }
  for (const BlendOptions& options : {BlendOptions{.exposure = false, .bands = 0}, mean}) {
    const Image both = blend(a.view(), b.view(), identity, options);
    const auto pixel = [&](int x, int c) { return std::to_integer<int>(both.row(10)[4 * x + c]); };
    EXPECT_EQ(pixel(25, 0), 200);
    EXPECT_EQ(pixel(25, 3), 255);
    EXPECT_EQ(pixel(35, 3), 0);
    EXPECT_EQ(pixel(5, 3), 255);
  }
  const Image squares = checkerboard(a.view(), b.view(), identity);
  for (int x = 22; x < 28; ++x) EXPECT_EQ(std::to_integer<int>(squares.row(10)[3 * x]), 200);
}

TEST(Blend, ThePixelTypeIsTheDeeper) {
  Image a(20, 10, 2, PixelType::u16);
  Image b(20, 10, 4, PixelType::f32);
  for (int y = 0; y < 10; ++y) {
    for (int x = 0; x < 20; ++x) {
      std::uint16_t* grey_alpha = reinterpret_cast<std::uint16_t*>(a.row(y)) + std::ptrdiff_t{2} * x;
      grey_alpha[0] = 20001;
      grey_alpha[1] = 65535;
      float* colour_alpha = reinterpret_cast<float*>(b.row(y)) + std::ptrdiff_t{4} * x;
      std::fill_n(colour_alpha, 3, 0.8f);
      colour_alpha[3] = 1;
    }
  }
  const Image deep = blend(a.view(), a.view(), identity);
  ASSERT_EQ(deep.type(), PixelType::u16);
  const auto* pixel = reinterpret_cast<const std::uint16_t*>(deep.row(5)) + std::ptrdiff_t{4} * 7;
  for (int c = 0; c < 3; ++c) EXPECT_EQ(pixel[c], 20001);
  EXPECT_EQ(pixel[3], 65535);
  EXPECT_EQ(checkerboard(a.view(), a.view(), identity).type(), PixelType::u16);
  const Image both = blend(a.view(), b.view(), identity, mean);
  ASSERT_EQ(both.type(), PixelType::f32);
  EXPECT_NEAR(reinterpret_cast<const float*>(both.row(5))[4 * 7], (20001 / 65535.0 + 0.8) / 2, 1e-6);
}

TEST(Blend, OptionsOutOfRangeAreRefused) {
  const Image a = flat(8, 8, 0);
  EXPECT_THROW(blend(a.view(), a.view(), identity, {.bands = 9}), Error);
  EXPECT_EQ(option_table<BlendOptions>().options.size(), 3U);
}

TEST(Checkerboard, SquaresTakeTurns) {
  const Image board = checkerboard(flat(120, 60, 200).view(), flat(120, 60, 100).view(), identity);
  ASSERT_EQ(board.width(), 120);
  ASSERT_EQ(board.height(), 60);
  for (int y = 0; y < 60; ++y) {
    for (int x = 0; x < 120; ++x) ASSERT_EQ(grey(board, x, y), (x / 10 + y / 10) % 2 ? 100 : 200) << x << " " << y;
  }
}

TEST(Checkerboard, WhereBDoesNotReachAIsSeen) {
  const Image board = checkerboard(flat(120, 60, 200).view(), flat(60, 60, 100).view(), identity);
  EXPECT_EQ(grey(board, 15, 5), 100);
  EXPECT_EQ(grey(board, 95, 5), 200);
}

TEST(Checkerboard, ImagesThatFitShowOneImage) {
  const Image a = scene(90, 70), b = scene(90, 70, 12, -5);
  const Image board = checkerboard(a.view(), b.view(), shift(-12, 5));
  for (int y = 0; y < 70; ++y) {
    for (int x = 0; x < 90; ++x) ASSERT_NEAR(grey(board, x, y), grey1(a, x, y), 1) << x << " " << y;
  }
}

TEST(Images, OnePixelIsEnough) {
  const Image dot = flat(1, 1, 50);
  EXPECT_EQ(grey(blend(dot.view(), dot.view(), identity), 0, 0), 50);
  EXPECT_EQ(grey(checkerboard(dot.view(), dot.view(), identity), 0, 0), 50);
}

TEST(Images, BadHomographiesAndImagesAreRefused) {
  const Image a = flat(8, 8, 0), wide = flat(32767, 1, 0);
  H bad = identity;
  bad[4] = std::numeric_limits<double>::quiet_NaN();
  using Draw = std::function<Image(const ImageView&, const ImageView&, const H&)>;
  for (const Draw& draw : {Draw([](auto&... given) { return blend(given...); }),
                           Draw([](auto&... given) { return blend(given..., mean); }),
                           Draw([](auto&... given) { return checkerboard(given...); })}) {
    EXPECT_THROW(draw(a.view(), a.view(), bad), Error);
    EXPECT_THROW(draw(wide.view(), a.view(), identity), Error);
    EXPECT_THROW(draw(a.view(), wide.view(), identity), Error);
    EXPECT_THROW(draw(a.view(), ImageView{}, identity), Error);
    EXPECT_NO_THROW(draw(a.view(), a.view(), H{}));
    EXPECT_NO_THROW(draw(flat(32766, 1, 0).view(), a.view(), identity));
    EXPECT_NO_THROW(draw(a.view(), a.view(), H{1e300, 1e300, 1e300, 1e300, 1e300, 1e300, 1e300, 1e300, 1e300}));
  }
}

}  // namespace
}  // namespace octavo
