// All steps, on an image of blobs and its copy from another view.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "multiview/align/distinct_places.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/multiview/align.h"

namespace octavo {
namespace {

/// Blobs of random places, sizes and brightness, through b_from_a: B's pixel b shows the plane at H⁻¹·b.
Image blobs(int width, int height, double scale, double angle, double dx, double dy) {
  std::mt19937 random(7);
  struct Blob {
    double x, y, sigma, height;
  };
  std::vector<Blob> all;
  for (int i = 0; i < 250; ++i) {
    const auto number = [&] { return static_cast<double>(random()) / 4294967296; };
    const double x = 320 * number() - 20, y = 260 * number() - 20, sigma = 2 + 4 * number();
    all.push_back({x, y, sigma, 90 * (2 * number() - 1)});
  }
  const double c = std::cos(angle) / scale, s = std::sin(angle) / scale;
  Image image(width, height, 1, PixelType::u8);
  for (int j = 0; j < height; ++j) {
    for (int i = 0; i < width; ++i) {
      const double x = c * (i - dx) + s * (j - dy), y = -s * (i - dx) + c * (j - dy);
      double value = 128;
      for (const Blob& blob : all) {
        const double r2 = (std::pow(x - blob.x, 2) + std::pow(y - blob.y, 2)) / (blob.sigma * blob.sigma);
        if (r2 < 30) value += blob.height * std::exp(-r2 / 2);
      }
      image.row(j)[i] = static_cast<std::byte>(std::lround(std::min(std::max(value, 0.0), 255.0)));
    }
  }
  return image;
}

// Four places, each with keypoints of several scales and orientations, and a fifth.
TEST(Align, FourPlacesProveNoHomography) {
  PointPairs pairs;
  const auto add = [&](double x, double y) {
    for (const double by : {0.0, 0.0, 0.4, 1.0}) {
      pairs.a.push_back({x + by, y});
      pairs.b.push_back({1.1 * x + by, y + 12});
    }
  };
  for (const auto& [x, y] : {std::pair(15.0, 21.0), {201.0, 33.0}, {39.0, 183.0}, {189.0, 165.0}}) add(x, y);
  for (const bool is_enough : {false, true}) {
    RobustModel homography = estimate_homography(pairs.a, pairs.b);
    ASSERT_TRUE(homography.found);
    require_a_fifth_place(homography, pairs);
    EXPECT_EQ(homography.found, is_enough);
    EXPECT_EQ(homography.reason.empty(), is_enough);
    EXPECT_EQ(homography.inlier_count, is_enough ? 20 : 0);
    EXPECT_EQ(homography.inliers.size(), pairs.a.size());
    add(99, 105);
  }
}

TEST(Align, FindsTheHomographyOfATurnedImage) {
  const double scale = 0.9, angle = 0.3, dx = 60, dy = -10;
  const Image a = blobs(280, 220, 1, 0, 0, 0), b = blobs(280, 220, scale, angle, dx, dy);
  Extractor extractor;
  Matcher matcher;
  const Alignment found = align(extractor, matcher, a.view(), b.view());
  ASSERT_GT(found.a.size(), 50u);
  ASSERT_GT(found.matches.size(), 30u);
  ASSERT_TRUE(found.homography.found) << found.homography.reason;
  ASSERT_EQ(found.homography.inliers.size(), found.matches.size());
  EXPECT_LT(found.homography.reprojection_error, 1);
  EXPECT_TRUE(found.warnings.empty()) << found.warnings.front().sentence;
  const auto& h = found.homography.b_from_a;
  for (const auto& [x, y] : {std::pair{40.0, 60.0}, {200.0, 60.0}, {40.0, 180.0}, {200.0, 180.0}}) {
    const double w = h[6] * x + h[7] * y + h[8];
    const double c = scale * std::cos(angle), s = scale * std::sin(angle);
    EXPECT_NEAR((h[0] * x + h[1] * y + h[2]) / w, c * x - s * y + dx, 1);
    EXPECT_NEAR((h[3] * x + h[4] * y + h[5]) / w, s * x + c * y + dy, 1);
  }
}

TEST(Align, ImagesWithoutFeaturesHaveNoHomographyAndAReason) {
  Image grey(64, 64, 1, PixelType::u8);
  for (int y = 0; y < 64; ++y) std::fill(grey.row(y), grey.row(y) + 64, std::byte{128});
  Extractor extractor;
  Matcher matcher;
  const Alignment found = align(extractor, matcher, grey.view(), grey.view());
  EXPECT_EQ(found.a.size(), 0u);
  EXPECT_TRUE(found.matches.empty());
  EXPECT_FALSE(found.homography.found);
  EXPECT_NE(found.homography.reason, "");
}

TEST(Align, OptionsOutOfRangeAreRefused) {
  const Image a = blobs(32, 32, 1, 0, 0, 0);
  Extractor extractor;
  Matcher matcher;
  EXPECT_THROW(align(extractor, matcher, a.view(), a.view(), RobustOptions{.threshold = -1}), Error);
}

}  // namespace
}  // namespace octavo
