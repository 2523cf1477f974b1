// Grids have all requested rows, and every driver refuses a grid that CUDA would refuse.

#include "engine/device/gpu_grid.h"

#include <gtest/gtest.h>

#include "octavo/error.h"

namespace octavo {
namespace {

std::string refusal(const GpuGrid& grid) {
  try {
    check_grid("paint", grid);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::invalid_argument);
    return e.what();
  }
  return "";
}

TEST(GpuGridTest, AllRowsAreThereAndFewMore) {
  for (const int rows : {1, 2, 65535, 65536, 65537, 131070, 131071, 1'000'001, 1 << 23}) {
    const GpuGrid grid = GpuGrid::of_rows(3, rows, 256);
    EXPECT_EQ(refusal(grid), "");
    EXPECT_EQ(grid.groups[0], 3u);
    EXPECT_EQ(grid.threads, (std::array<unsigned, 3>{256, 1, 1}));
    EXPECT_FALSE(grid.early);
    const unsigned in_grid = grid.groups[1] * grid.groups[2];
    EXPECT_GE(in_grid, static_cast<unsigned>(rows));
    EXPECT_LT(in_grid - static_cast<unsigned>(rows), grid.groups[2]);
    EXPECT_EQ(grid.groups[2] == 1, rows <= 65535);
  }
  EXPECT_TRUE(GpuGrid::of_rows(3, 5, 256).starting_early().early);
  EXPECT_THROW((void)GpuGrid::of_rows(0, 5, 256), Error);
  EXPECT_THROW((void)GpuGrid::of_rows(5, 0, 256), Error);
}

TEST(GpuGridTest, GroupsHoldAllItems) {
  EXPECT_EQ(groups_for(0, 32), 0);
  EXPECT_EQ(groups_for(1, 32), 1);
  EXPECT_EQ(groups_for(32, 32), 1);
  EXPECT_EQ(groups_for(33, 32), 2);
  EXPECT_EQ(groups_for(0x7fffffff, 32), 67'108'864);
}

TEST(GpuGridTest, WhatCudaRefusesIsRefusedByName) {
  EXPECT_EQ(refusal({{0x7fffffff, 65535, 65535}, {16, 16, 4}}), "");
  EXPECT_EQ(refusal({{1, 1, 1}, {1024, 1, 1}}), "");
  EXPECT_EQ(refusal({{5, 70'000, 1}, {256, 1, 1}}),
            "the kernel \"paint\" was launched with 5x70000x1 groups of 256x1x1 threads, but a GPU takes 1 to "
            "2147483647x65535x65535 groups of 1 to 1024 threads");
  for (const GpuGrid& grid :
       {GpuGrid{{0x80000000, 1, 1}, {1, 1, 1}}, GpuGrid{{1, 1, 65536}, {1, 1, 1}}, GpuGrid{{0, 1, 1}, {1, 1, 1}},
        GpuGrid{{1, 0, 1}, {1, 1, 1}}, GpuGrid{{1, 1, 1}, {0, 1, 1}}, GpuGrid{{1, 1, 1}, {1025, 1, 1}},
        GpuGrid{{1, 1, 1}, {32, 33, 1}}, GpuGrid{{1, 1, 1}, {1, 1, 65}}}) {
    EXPECT_NE(refusal(grid), "");
  }
}

}  // namespace
}  // namespace octavo
