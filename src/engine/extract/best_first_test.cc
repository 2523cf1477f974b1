// Parts come in the order of scores, whole where scores are equal, and together they are the list.

#include "engine/extract/best_first.h"

#include <gtest/gtest.h>

namespace octavo {
namespace {

using Indices = std::vector<std::size_t>;

TEST(BestFirst, TakesTheBestAndTheirEquals) {
  BestFirst best({3, 9, 5, 5, 1, 5, 9});
  EXPECT_EQ(best.take(1), (Indices{1, 6}));
  EXPECT_EQ(best.take(2), (Indices{2, 3, 5}));
  EXPECT_FALSE(best.is_empty());
  EXPECT_EQ(best.take(1), (Indices{0}));
  EXPECT_EQ(best.take(100), (Indices{4}));
  EXPECT_TRUE(best.is_empty());
}

TEST(BestFirst, TakesTheWholeListInItsOrder) {
  BestFirst best({2, 7, 4});
  EXPECT_EQ(best.take(3), (Indices{0, 1, 2}));
  EXPECT_TRUE(best.is_empty());
  EXPECT_TRUE(BestFirst({}).is_empty());
}

}  // namespace
}  // namespace octavo
