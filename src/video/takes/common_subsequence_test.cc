#include "video/takes/common_subsequence.h"

#include <gtest/gtest.h>

namespace octavo {
namespace {

using Pairs = std::vector<FramePair>;

TEST(CommonSubsequence, FollowsAShiftedDiagonal) {
  std::vector<float> similarity(5 * 6, 0);
  for (std::size_t i = 0; i < 4; ++i) similarity[i * 6 + i + 2] = 1;
  EXPECT_EQ(common_subsequence(similarity, 5, 6, 1), (Pairs{{0, 2}, {1, 3}, {2, 4}, {3, 5}}));
}

TEST(CommonSubsequence, PassesAGapButNoLongerOne) {
  std::vector<float> similarity(9 * 9, 0);
  for (const std::size_t i : {0U, 1U, 4U, 5U, 6U}) similarity[i * 9 + i] = 1;
  EXPECT_EQ(common_subsequence(similarity, 9, 9, 2), (Pairs{{0, 0}, {1, 1}, {4, 4}, {5, 5}, {6, 6}}));
  EXPECT_EQ(common_subsequence(similarity, 9, 9, 1), (Pairs{{4, 4}, {5, 5}, {6, 6}}));
}

TEST(CommonSubsequence, FollowsAnotherSpeed) {
  std::vector<float> similarity(4 * 8, 0);
  for (std::size_t i = 0; i < 4; ++i) similarity[i * 8 + 2 * i] = 1;
  EXPECT_EQ(common_subsequence(similarity, 4, 8, 1).size(), 4u);
  EXPECT_EQ(common_subsequence(similarity, 4, 8, 0).size(), 1u);
}

TEST(CommonSubsequence, PrefersTheGreaterSimilarity) {
  EXPECT_EQ(common_subsequence(std::vector<float>{0.2F, 0.9F, 0.1F, 0.2F}, 2, 2, 0), (Pairs{{0, 1}}));
}

TEST(CommonSubsequence, OfStillScenesIsTheDiagonal) {
  const std::vector<float> similarity(4 * 4, 0.5F);
  EXPECT_EQ(common_subsequence(similarity, 4, 4, 2), (Pairs{{0, 0}, {1, 1}, {2, 2}, {3, 3}}));
}

TEST(CommonSubsequence, OfNothingIsEmpty) {
  EXPECT_TRUE(common_subsequence({}, 0, 0, 2).empty());
  EXPECT_TRUE(common_subsequence(std::vector<float>(6, 0), 2, 3, 2).empty());
}

}  // namespace
}  // namespace octavo
