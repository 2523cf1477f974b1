// The fit of a place, of cells of a smooth image.

#include "video/signature/place_offset.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "octavo/image.h"

namespace octavo {
namespace {

// Cells of 20 pixels, whose places are off by these pixels.
std::vector<Cell> cells(double right, double down) {
  std::vector<Cell> all;
  for (int i = 0; i < 14; ++i) {
    for (int k = 0; k < 10; ++k) all.push_back({30 + 20.0 * i + right, 30 + 20.0 * k + down, 10, 10});
  }
  return all;
}

Image smooth_image() {
  Image image(340, 260, 1, PixelType::u8);
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x)
      image.row(y)[x] =
          static_cast<std::byte>(128 + 50 * std::sin(0.04 * x + 0.02 * y) + 40 * std::sin(0.05 * y - 0.01 * x));
  }
  return image;
}

FrameCells frame_of(const Image& image, const std::vector<Cell>& at) {
  return {0, 1, means_of(image.view(), at, false), slopes_of(image.view(), at)};
}

TEST(PlaceFit, FindsHowFarCellsAreOff) {
  const Image image = smooth_image();
  std::vector<std::size_t> all(cells(0, 0).size());
  std::iota(all.begin(), all.end(), 0);
  const FrameCells query = frame_of(image, cells(0, 0)), other = frame_of(image, cells(3, -2));
  PlaceFit fit;
  fit.add(query, other, all, std::vector<double>(all.size(), 1));
  const PlaceOffset offset = fit.offset();
  EXPECT_NEAR(offset[0], -3, 0.3);
  EXPECT_NEAR(offset[1], 2, 0.3);
  EXPECT_NEAR(offset[2], 0, 0.3);
  EXPECT_NEAR(offset[3], 0, 0.3);
  EXPECT_LT(fit.unexplained(offset), 0.02 * fit.unexplained({}));
  const FrameCells settled = moved(other, offset);
  for (const std::size_t p : all) EXPECT_NEAR(settled.values[p], query.values[p], 1.5);
}

TEST(PlaceFit, OfFramesOfOneGreyIsNone) {
  const FrameCells grey{0, 1, {7, 7, 7, 7}, std::vector<CellSlopes>(4)};
  PlaceFit fit;
  fit.add(grey, grey, {0, 1, 2, 3}, {1, 1, 1, 1});
  EXPECT_EQ(fit.offset(), PlaceOffset{});
}

}  // namespace
}  // namespace octavo
