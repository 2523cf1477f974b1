#include "video/takes/contrast.h"

#include <gtest/gtest.h>

#include "video/takes/common_subsequence.h"

namespace octavo {
namespace {

TEST(ContrastTest, ExceedsTheMediansOfRowAndColumn) {
  const std::vector<float> similarity{8, 3, 1,  //
                                      4, 6, 2,  //
                                      4, 4, 4};
  // The medians of the rows are 3, 4 and 4, those of the columns 4, 4 and 2.
  EXPECT_EQ(contrast_of(similarity, 3, 3), (std::vector<float>{4, 0, 0, 0, 2, 0, 0, 0, 0}));
}

TEST(ContrastTest, TakesTheLowerMedianOfAnEvenCount) {
  EXPECT_EQ(contrast_of(std::vector<float>{5, 1, 1, 5}, 2, 2), (std::vector<float>{4, 0, 0, 4}));
}

TEST(ContrastTest, OfOnePairOrNoneIsNothing) {
  EXPECT_EQ(contrast_of(std::vector<float>{7}, 1, 1), std::vector<float>{0});
  EXPECT_TRUE(contrast_of({}, 0, 0).empty());
  EXPECT_TRUE(contrast_of({}, 0, 3).empty());
}

// Two takes of 10 frames, all of which show the same room; the second one begins 3 frames later. The greatest sum of
// similarities has pairs for all frames, the greatest sum of contrasts those that show the same time.
TEST(ContrastTest, AlignsTakesThatOverlapInPart) {
  constexpr std::size_t n = 10, later = 3;
  std::vector<float> similarity(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) similarity[i * n + j] = i == j + later ? 0.7F : 0.6F;
  }
  EXPECT_EQ(common_subsequence(similarity, n, n, 3).size(), n);
  const std::vector<FramePair> pairs = common_subsequence(contrast_of(similarity, n, n), n, n, 3);
  ASSERT_EQ(pairs.size(), n - later);
  for (const FramePair& pair : pairs) EXPECT_EQ(pair.a, pair.b + later);
}

}  // namespace
}  // namespace octavo
