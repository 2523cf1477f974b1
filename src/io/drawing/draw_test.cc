#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "io/images/test_images.h"
#include "octavo/error.h"
#include "octavo/io/drawing.h"
#include "octavo/io/image_files.h"

namespace octavo {
namespace {

using namespace io::test;

Image flat(int image_width, int image_height, int value) {
  Image image(image_width, image_height, 1, PixelType::u8);
  for (int y = 0; y < image_height; ++y) {
    std::fill(image.row(y), image.row(y) + image_width, static_cast<std::byte>(value));
  }
  return image;
}

/// The amount of colour in a pixel of an RGB image; 0 for grey.
double colour(const Image& image, int x, int y) {
  const double r = sample(image, x, y, 0), g = sample(image, x, y, 1), b = sample(image, x, y, 2);
  return std::max({r, g, b}) - std::min({r, g, b});
}

TEST(DrawKeypoints, ACircleOfTheScaleAndALineAlongTheOrientation) {
  const Image image = flat(100, 80, 128);
  const Keypoint k{.x = 40, .y = 30, .scale = 12, .orientation = 1.5707963f};  // downwards
  const Image drawn = draw_keypoints(image.view(), std::span(&k, 1));
  ASSERT_EQ(drawn.width(), 100);
  ASSERT_EQ(drawn.height(), 80);
  ASSERT_EQ(drawn.channels(), 3);
  ASSERT_EQ(drawn.type(), PixelType::u8);
  for (const auto& [x, y] : {std::pair{52, 30}, {28, 30}, {40, 18}, {40, 42}, {40, 36}}) {
    EXPECT_GT(colour(drawn, x, y), 60) << x << " " << y;
  }
  for (const auto& [x, y] : {std::pair{46, 30}, {34, 30}, {40, 24}, {70, 70}}) {
    EXPECT_EQ(colour(drawn, x, y), 0) << x << " " << y;
  }
}

TEST(DrawKeypoints, AnEllipseAndAHandToTheEndOfItsFirstAxis) {
  const Image image = flat(100, 80, 128);
  // 24 pixels to the right and 6 downwards.
  const Keypoint k{.x = 40, .y = 30, .scale = 12, .orientation = 0, .a11 = 24, .a22 = 6};
  const Image drawn = draw_keypoints(image.view(), std::span(&k, 1));
  for (const auto& [x, y] : {std::pair{64, 30}, {16, 30}, {40, 36}, {40, 24}, {50, 30}}) {
    EXPECT_GT(colour(drawn, x, y), 60) << x << " " << y;
  }
  for (const auto& [x, y] : {std::pair{28, 30}, {40, 18}, {40, 42}, {70, 70}}) {
    EXPECT_EQ(colour(drawn, x, y), 0) << x << " " << y;
  }
}

TEST(DrawKeypoints, AnyKindOfImageAndNoKeypoints) {
  for (const auto* name : {"grey8.png", "grey_alpha8.png", "rgb16.png", "rgba8.png", "float_rgb.tif"}) {
    const Image drawn = draw_keypoints(read_image(testdata(name)).view(), {});
    EXPECT_EQ(drawn.channels(), 3) << name;
    EXPECT_NEAR(sample(drawn, 12, 4, 0), 0.75 * red(12), 1.5) << name;
  }
}

TEST(DrawKeypoints, KeypointsOutsideAreHarmless) {
  const Image image = flat(20, 20, 128);
  const Keypoint wild[] = {
      {.x = -1e9f, .y = 1e9f, .scale = 5}, {.x = 10, .y = 10, .scale = 1e9f}, {.x = 3, .y = 3, .scale = 0}};
  EXPECT_EQ(draw_keypoints(image.view(), wild).width(), 20);
}

TEST(DrawKeypoints, ImagesWithoutPixelsAreRefused) { EXPECT_THROW(draw_keypoints(ImageView{}, {}), Error); }

Features points(std::initializer_list<std::pair<float, float>> places) {
  Features features;
  for (const auto& [x, y] : places) {
    features.keypoints.push_back({.x = x, .y = y, .scale = 2});
    features.descriptors.resize(features.descriptors.size() + descriptor_length);
  }
  return features;
}

TEST(DrawMatches, LinesOfInliersAlone) {
  const Image a = flat(100, 80, 128), b = flat(60, 120, 128);
  const Features in_a = points({{10, 20}, {10, 60}}), in_b = points({{30, 20}, {30, 60}});
  const Match matches[] = {{0, 0, 0}, {1, 1, 0}};
  const std::uint8_t inliers[] = {0, 1};
  const Image all = draw_matches(a.view(), in_a, b.view(), in_b, matches);
  const Image some = draw_matches(a.view(), in_a, b.view(), in_b, matches, inliers);
  EXPECT_GE(all.width(), 161);
  EXPECT_EQ(all.height(), 120);
  EXPECT_EQ(all.channels(), 3);
  EXPECT_GT(colour(all, 60, 20), 40);
  EXPECT_GT(colour(all, 60, 60), 40);
  EXPECT_EQ(colour(some, 60, 20), 0);
  EXPECT_GT(colour(some, 60, 60), 40);
}

TEST(DrawMatches, WrongIndicesAndMasksAreRefused) {
  const Image a = flat(10, 10, 0);
  const Features one = points({{1, 1}});
  const std::uint8_t inliers[] = {1, 1};
  for (const Match match : {Match{1, 0, 0}, Match{0, 1, 0}, Match{-1, 0, 0}}) {
    EXPECT_THROW(draw_matches(a.view(), one, a.view(), one, std::span(&match, 1)), Error);
  }
  const Match good;
  EXPECT_THROW(draw_matches(a.view(), one, a.view(), one, std::span(&good, 1), inliers), Error);
  EXPECT_NO_THROW(draw_matches(a.view(), one, a.view(), one, {}));
}

}  // namespace
}  // namespace octavo
