// A number is called better only where enough pairs have it.

#include "study/evaluate/conclusion.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace octavo::evaluation {
namespace {

// Pairs of two configurations, of which the second finds more. The first `homographies` of them have a true homography.
Comparison comparison_of(std::size_t pairs, std::size_t homographies) {
  Comparison comparison;
  for (std::size_t i = 0; i < pairs; ++i) {
    PairScores scores, better;
    scores.has_true_homography = better.has_true_homography = i < homographies;
    better.correct.fill(10);
    comparison.pairs.push_back({.scene = i, .other = 0, .scores = {scores, better}});
  }
  return comparison;
}

std::string conclusion_of(const Comparison& comparison) {
  const std::vector<Configuration> configurations{{.name = "one"}, {.name = "two"}};
  return conclusions_of(comparison, alike_by_scene(comparison, "sequences"), configurations).at(0);
}

TEST(Conclusions, DoNotTellFewHomographiesFromChance) {
  const std::string mixed = conclusion_of(comparison_of(9, 3));
  EXPECT_NE(mixed.find("two is best in correct matches (10.0)."), std::string::npos) << mixed;
  EXPECT_NE(mixed.find(
                "3 pairs are too few to tell which configuration is better in homography accuracy and repeatability of "
                "regions. The highest numbers"),
            std::string::npos)
      << mixed;
  EXPECT_EQ(conclusion_of(comparison_of(9, 9)).find("too few"), std::string::npos);
  EXPECT_EQ(conclusion_of(comparison_of(3, 3)).find("3 pairs are too few to tell which configuration is better. The"),
            0u);
}

}  // namespace
}  // namespace octavo::evaluation
