#include "engine/sift/visits.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "engine/scale_space/plan.h"

namespace octavo {
namespace {

bool holds(const std::vector<Tile>& tiles, int x, int y) {
  int times = 0;
  for (const Tile& t : tiles) times += t.x_begin <= x && x < t.x_end && t.y_begin <= y && y < t.y_end ? 1 : 0;
  EXPECT_LE(times, 1);
  return times == 1;
}

TEST(NeededPixels, AreInTilesWithoutOverlap) {
  NeededPixels needed({1000, 500});
  needed.add(300, 100, 20);
  needed.add(700, 110, 10);
  needed.add(999, 499, 30);
  const std::vector<Tile> tiles = needed.tiles({90, 500}, 16);
  for (const auto& [x, y] : {std::pair{280, 90}, {320, 120}, {690, 100}, {710, 120}, {969, 469}, {999, 499}}) {
    EXPECT_TRUE(holds(tiles, x, y)) << x << ' ' << y;
  }
  EXPECT_FALSE(holds(tiles, 300, 80));  // another part's
  EXPECT_FALSE(holds(tiles, 300, 300));
  EXPECT_TRUE(needed.tiles({200, 400}, 16).empty());
}

TEST(NeededPixels, OfNeighboursAreOneTile) {
  NeededPixels needed({2000, 100});
  needed.add(1000, 50, 600);
  ASSERT_EQ(needed.tiles({0, 100}, 0).size(), 1u);
  needed.add(1000, 0, 600);
  EXPECT_EQ(needed.tiles({0, 100}, 0).size(), 1u);
}

TEST(DroppedOctaves, AreLarge) {
  const ScaleSpaceOptions options{};
  EXPECT_TRUE(dropped_octaves(plan_scale_space(1920, 1080, options), 50).sizes.empty());
  EXPECT_EQ(dropped_octaves(plan_scale_space(3840, 2160, options), 50).sizes.size(), 1u);
  const DroppedOctaves enormous = dropped_octaves(plan_scale_space(100'000, 100'000, options), 50);
  EXPECT_EQ(enormous.sizes.size(), 6u);
  EXPECT_GT(enormous.band_height, 0);
}

}  // namespace
}  // namespace octavo
