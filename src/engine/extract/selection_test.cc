// Budgets keep the best keypoints, and masks those inside.

#include "engine/extract/selection.h"

#include <gtest/gtest.h>

#include <cstring>

#include "octavo/image.h"

namespace octavo {
namespace {

std::vector<Keypoint> keypoints_in_a_row() {
  std::vector<Keypoint> all;
  for (int i = 0; i < 10; ++i) {
    const float f = static_cast<float>(i);
    all.push_back({.x = 10 * f, .y = 5, .scale = 10 - f, .response = i == 7 ? 2.0f : f / 10});
  }
  return all;
}

TEST(Selection, RanksThenCuts) {
  const std::vector<Keypoint> all = keypoints_in_a_row();
  EXPECT_EQ(select(all, 100, 10, {.max_features = 3, .rank = Rank::response}), (std::vector<std::size_t>{7, 8, 9}));
  EXPECT_EQ(select(all, 100, 10, {.max_features = 3, .rank = Rank::scale}), (std::vector<std::size_t>{0, 1, 2}));
  // Responses times scales of points 4, 5, 6 and 8 are 0.4 · 3, 0.5 · 3, 0.6 · 3 and 0.8 · 2, of point 7 2 · 3.
  EXPECT_EQ(select(all, 100, 10, {.max_features = 4, .rank = Rank::scaled_response}),
            (std::vector<std::size_t>{5, 6, 7, 8}));
  EXPECT_EQ(select(all, 100, 10, {}).size(), 10u);
  EXPECT_EQ(select(all, 100, 10, {.max_features = 99}).size(), 10u);
}

TEST(Selection, EqualsKeepCanonicalOrder) {
  std::vector<Keypoint> all = keypoints_in_a_row();
  for (Keypoint& k : all) k.response = 1;
  EXPECT_EQ(select(all, 100, 10, {.max_features = 4}), (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(Selection, GridSharesTheBudgetAndRefillsFromTheRest) {
  // Two columns of cells: the left one holds points 0…4, the right one 5…9, which are stronger except for point 7.
  const std::vector<Keypoint> all = keypoints_in_a_row();
  EXPECT_EQ(select(all, 100, 10, {.max_features = 4, .rank = Rank::response, .grid = 2}),
            (std::vector<std::size_t>{4, 7, 8, 9}));
  // First ⌈8/4⌉ = 2 for each cell. The cells of the lower half are empty, so the best remaining points fill the budget.
  EXPECT_EQ(select(all, 100, 10, {.max_features = 8, .rank = Rank::response, .grid = 2}),
            (std::vector<std::size_t>{2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(Mask, TakesTheNearestPixel) {
  Image mask(4, 3, 1, PixelType::u8);
  for (int y = 0; y < 3; ++y) std::memset(mask.row(y), 0, 4);
  mask.row(1)[2] = std::byte{1};
  EXPECT_TRUE(inside(mask.view(), 2.4f, 0.6f));
  EXPECT_FALSE(inside(mask.view(), 2.6f, 0.6f));
  EXPECT_FALSE(inside(mask.view(), -3.0f, 99.0f));
}

}  // namespace
}  // namespace octavo
