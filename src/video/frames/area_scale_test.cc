#include "video/frames/area_scale.h"

#include <gtest/gtest.h>

#include <random>

namespace octavo::video {
namespace {

// The definition: the mean over a grid on which the borders of both images lie.
std::vector<std::uint8_t> by_definition(const BytePlane& source, ImageSize size) {
  std::vector<std::uint8_t> result;
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      std::uint64_t sum = 0;
      for (int v = y * source.height; v < (y + 1) * source.height; ++v) {
        for (int u = x * source.width; u < (x + 1) * source.width; ++u) {
          sum += source.data[v / size.height * source.stride + u / size.width];
        }
      }
      const auto area = static_cast<std::uint64_t>(source.width) * static_cast<std::uint64_t>(source.height);
      result.push_back(static_cast<std::uint8_t>((2 * sum + area) / (2 * area)));
    }
  }
  return result;
}

TEST(AreaScale, IsTheMeanOfTheCoveredArea) {
  std::mt19937 random(1);
  const std::vector<ImageSize> sizes{{1, 1}, {2, 3}, {7, 5}, {16, 9}, {17, 31}, {33, 20}};
  for (const ImageSize from : sizes) {
    const int stride = from.width + 3;
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(stride * from.height));
    for (std::uint8_t& pixel : pixels) pixel = static_cast<std::uint8_t>(random());
    const BytePlane plane{pixels.data(), stride, from.width, from.height};
    for (const ImageSize to : sizes) {
      EXPECT_EQ(scale_area(plane, to), by_definition(plane, to))
          << from.width << "x" << from.height << " to " << to.width << "x" << to.height;
    }
  }
}

TEST(AreaScale, ReadsRowsFromBottomToTop) {
  const std::vector<std::uint8_t> pixels{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(scale_area({pixels.data() + 4, -2, 2, 3}, {2, 3}), (std::vector<std::uint8_t>{5, 6, 3, 4, 1, 2}));
}

TEST(AreaScale, KeepsWhiteAtTheLargestSides) {
  const std::vector<std::uint8_t> row(65535, 255);
  EXPECT_EQ(scale_area({row.data(), 65535, 65535, 1}, {640, 1}), std::vector<std::uint8_t>(640, 255));
  EXPECT_EQ(scale_area({row.data(), 0, 65535, 65535}, {3, 2}), std::vector<std::uint8_t>(6, 255));
}

}  // namespace
}  // namespace octavo::video
