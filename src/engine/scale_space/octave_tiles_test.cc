// Octaves are cut so that every pixel is in one tile and all threads have work.

#include "engine/scale_space/octave_cpu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace octavo {
namespace {

TEST(CutIntoTiles, EveryPixelIsInOneTile) {
  for (const Size size : {Size{1, 1}, {15, 700}, {320, 240}, {1280, 960}, {3840, 2160}, {7000, 33}}) {
    for (int threads : {1, 2, 3, 16, 100, 1024}) {
      SCOPED_TRACE(std::to_string(size.width) + "x" + std::to_string(size.height) + " for " + std::to_string(threads));
      int column = 0, row = 0;  // where the next tile begins, in rows of tiles
      for (const Tile& tile : cut_into_tiles(size, threads)) {
        ASSERT_EQ(tile.x_begin, column);
        ASSERT_EQ(tile.y_begin, row);
        ASSERT_LT(tile.x_begin, tile.x_end);
        ASSERT_LT(tile.y_begin, tile.y_end);
        EXPECT_EQ(tile.x_begin % 16, 0);
        EXPECT_LE(tile.x_end - tile.x_begin, 2048);
        column = tile.x_end < size.width ? tile.x_end : 0;
        if (column == 0) row = tile.y_end;
      }
      EXPECT_EQ(row, size.height);
    }
  }
}

TEST(CutIntoTiles, SmallOctavesAreSharedToo) {
  const auto largest_share = [](Size size, int threads) {
    int largest = 0;
    for (const Tile& tile : cut_into_tiles(size, threads)) {
      largest = std::max(largest, (tile.x_end - tile.x_begin) * (tile.y_end - tile.y_begin));
    }
    return static_cast<double>(largest) / (size.width * size.height);
  };
  EXPECT_LE(largest_share({640, 480}, 16), 1.0 / 15);
  EXPECT_LE(largest_share({320, 240}, 16), 1.0 / 8);
  EXPECT_LE(largest_share({480, 270}, 2), 0.6);
  EXPECT_EQ(largest_share({1920, 1080}, 1), 1);
  EXPECT_EQ(largest_share({60, 33}, 16), 1);
}

}  // namespace
}  // namespace octavo
