// Views: their number and geometry, their pixels, and what an extraction with them finds.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "engine/device/cpu_pool.h"
#include "engine/selftest/images.h"
#include "engine/views/synthesis.h"
#include "engine/views/view.h"
#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/image.h"
#include "octavo/matcher.h"
#include "octavo/sift_options.h"

namespace octavo {
namespace {

float pixel(const Image& image, int x, int y) { return reinterpret_cast<const float*>(image.row(y))[x]; }

TEST(Views, AreThoseOfTheSteps) {
  EXPECT_EQ(views_of(Views::none).size(), 1u);
  EXPECT_EQ(views_of(Views::few).size(), 15u);
  EXPECT_EQ(views_of(Views::many).size(), 29u);
  EXPECT_TRUE(views_of(Views::many).front().is_image());
  for (const View& view : views_of(Views::many)) {
    EXPECT_GE(view.angle, 0);
    EXPECT_LT(view.angle, std::numbers::pi);
  }
}

TEST(Views, HoldTheWholeImage) {
  for (const View& view : views_of(Views::many)) {
    const ViewFrame frame(view, 120, 80);
    const auto j = frame.jacobian();
    EXPECT_NEAR(j[0] * j[3] - j[1] * j[2], view.tilt, 1e-9);
    const auto origin = frame.in_image(0, 0), right = frame.in_image(1, 0), below = frame.in_image(0, 1);
    EXPECT_NEAR(right[0] - origin[0], j[0], 1e-9);
    EXPECT_NEAR(right[1] - origin[1], j[2], 1e-9);
    EXPECT_NEAR(below[0] - origin[0], j[1], 1e-9);
    EXPECT_NEAR(below[1] - origin[1], j[3], 1e-9);
    for (const double x : {0.0, 119.0}) {
      for (const double y : {0.0, 79.0}) {
        const double u = frame.cosine * x - frame.sine * y - frame.left,
                     v = frame.sine * x + frame.cosine * y - frame.top;
        EXPECT_GE(u, -1e-9);
        EXPECT_GE(v, -1e-9);
        EXPECT_LT(u / view.tilt, frame.width);
        EXPECT_LT(v, frame.height);
      }
    }
  }
}

TEST(Views, OfAStripAreLeftOutWhereTheyHoldItsSquare) {
  const auto fit = [](int width, int height) {
    int count = 0;
    for (const View& view : views_of(Views::many)) count += ViewFrame(view, width, height).fits(width, height) ? 1 : 0;
    return count;
  };
  for (const auto& [width, height] : {std::pair(640, 480), {6000, 4000}, {13000, 1000}, {1000, 13000}, {1000, 10}}) {
    EXPECT_EQ(fit(width, height), 29) << width << " " << height;
  }
  // The image and its views along and across it.
  EXPECT_EQ(fit(32000, 10), 7);
  EXPECT_EQ(fit(10, 32000), 7);
}

// The square of this strip has 170 million pixels in each of eight views.
TEST(Views, OfAStripNeedNoSquare) {
  const Image strip = images::blobs(32000, 8);
  Extractor extractor(SiftOptions{.views = Views::few}, {.name = "cpu"});
  EXPECT_NO_THROW(extractor.extract(strip.view()));
}

// The sines of the C library and the compiler's roundings have no part in a view.
TEST(Views, AreTurnedByOurOwnSines) {
  for (const View& view : views_of(Views::many)) {
    const ViewFrame frame(view, 120, 80);
    EXPECT_NEAR(frame.cosine, std::cos(view.angle), 1e-15);
    EXPECT_NEAR(frame.sine, std::sin(view.angle), 1e-15);
  }
  EXPECT_EQ(ViewFrame({3, std::numbers::pi / 2}, 120, 80).cosine, 0);
}

// Neither the turn nor the symmetric blur changes a plane of grey values.
TEST(Views, ShowTheImageWhereTheyLie) {
  CpuPool pool(1);
  Image ramp(100, 70, 1, PixelType::f32);
  for (int y = 0; y < 70; ++y) {
    for (int x = 0; x < 100; ++x)
      reinterpret_cast<float*>(ramp.row(y))[x] = 0.1F + 0.004F * float(x) + 0.003F * float(y);
  }
  for (const View& view : {View{2, 0.4}, View{4, 1.3}, View{6, 2.7}}) {
    const ViewFrame frame(view, 100, 70);
    const Image made = synthesize(ramp.view(), frame, pool);
    const double margin = 3 * 0.8 * view.tilt + 2;
    int compared = 0;
    for (int y = 0; y < frame.height; ++y) {
      for (int x = 0; x < frame.width; ++x) {
        const auto [px, py] = frame.in_image(x, y);
        if (px < margin || py < margin || px > 99 - margin || py > 69 - margin) continue;
        ASSERT_NEAR(pixel(made, x, y), 0.1 + 0.004 * px + 0.003 * py, 1e-5) << view.tilt << ": " << x << ", " << y;
        ++compared;
      }
    }
    EXPECT_GT(compared, 100);
  }
}

TEST(Views, OfATinyImageAndOfEveryType) {
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::f32}) {
    for (const int width : {1, 2, 40}) {
      for (const int height : {1, 2, 30}) {
        Extractor extractor(SiftOptions{.views = Views::few}, {.name = "cpu"});
        EXPECT_NO_THROW(extractor.extract(images::blobs(width, height, type, 3).view()));
      }
    }
  }
}

TEST(Views, AddFeaturesToThoseOfTheImage) {
  const Image image = images::blobs(200, 150);
  const Features plain = Extractor(SiftOptions{}, {.name = "cpu"}).extract(image.view());
  const Features found = Extractor(SiftOptions{.views = Views::few}, {.name = "cpu"}).extract(image.view());
  EXPECT_GT(found.size(), 2 * plain.size());
  for (const Keypoint& k : plain.keypoints) EXPECT_TRUE(std::ranges::find(found.keypoints, k) != found.keypoints.end());
  std::size_t circles = 0;
  for (const Keypoint& k : found.keypoints) {
    circles += has_ellipse(k) ? 0 : 1;
    EXPECT_TRUE(k.x >= 0 && k.y >= 0 && k.x <= 199 && k.y <= 149);
    if (has_ellipse(k)) {
      EXPECT_NEAR(k.a11 * k.a22 - k.a12 * k.a21, k.scale * k.scale, 1e-3 * k.scale * k.scale);
    }
  }
  EXPECT_EQ(circles, plain.size());
}

TEST(Views, HaveNoKeypointsOutsideTheMask) {
  const Image image = images::blobs(200, 150);
  Image mask(200, 150, 1, PixelType::u8);
  for (int y = 0; y < 150; ++y) {
    for (int x = 0; x < 200; ++x) mask.row(y)[x] = x > 60 && x < 150 && y > 40 ? std::byte{255} : std::byte{0};
  }
  const Features found =
      Extractor(SiftOptions{.views = Views::few}, {.name = "cpu"}).extract(image.view(), &mask.view());
  EXPECT_GT(found.size(), 20u);
  for (const Keypoint& k : found.keypoints) {
    EXPECT_EQ(mask.row(static_cast<int>(std::lround(k.y)))[std::lround(k.x)], std::byte{255}) << k.x << ", " << k.y;
  }
}

// An image of blobs and the same compressed to a quarter along x: few of its own features match, those of views do.
TEST(Views, MatchAPlaneSeenFromAside) {
  CpuPool pool(1);
  const Image image = images::blobs(480, 300);
  const ViewFrame frame({4, 0}, 480, 300);
  const Image aside = synthesize(as_floats(image.view(), pool).view(), frame, pool);
  const auto right = [&](Views views) {
    Extractor extractor(SiftOptions{.views = views}, {.name = "cpu"});
    const Features a = extractor.extract(image.view()), b = extractor.extract(aside.view());
    int count = 0;
    for (const Match& m : Matcher({.distinct_radius = 10}, {.name = "cpu"}).match(a, b)) {
      const auto [x, y] =
          frame.in_image(b.keypoints[static_cast<std::size_t>(m.b)].x, b.keypoints[static_cast<std::size_t>(m.b)].y);
      const Keypoint& k = a.keypoints[static_cast<std::size_t>(m.a)];
      count += std::hypot(k.x - x, k.y - y) < 5 ? 1 : 0;
    }
    return count;
  };
  const int plain = right(Views::none), few = right(Views::few);
  EXPECT_GT(few, 30);
  EXPECT_GT(few, 3 * plain);
}

}  // namespace
}  // namespace octavo
