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

TEST(Conclusions, CallNothingTheBestWhereNumbersOfKeypointsDiffer) {
  Comparison comparison = comparison_of(9, 9);
  for (ComparedPair& pair : comparison.pairs) {
    pair.scores[0].keypoints_a = pair.scores[0].keypoints_b = 3826;
    pair.scores[1].keypoints_a = pair.scores[1].keypoints_b = 1327;
  }
  const std::string sentence = conclusion_of(comparison);
  EXPECT_EQ(sentence.find("The numbers of keypoints differ, from 1327 by two to 3826 by one"), 0u) << sentence;
  EXPECT_EQ(sentence.find(" is best in"), std::string::npos) << sentence;
  for (ComparedPair& pair : comparison.pairs) pair.scores[1].keypoints_a = 6000;
  EXPECT_NE(conclusion_of(comparison).find("two is best in"), std::string::npos) << "3664 of 3826 is no difference";
}

TEST(Differences, HaveIntervalsWhereTheTitleSaysSo) {
  const std::vector<Configuration> configurations{{.name = "one"}, {.name = "two"}};
  for (const std::size_t pairs : {3, 9}) {
    const Comparison comparison = comparison_of(pairs, pairs);
    const Table table = difference_table(comparison, alike_by_scene(comparison, "sequences"), configurations);
    bool has_interval = false;
    for (const auto& row : table.rows) has_interval |= row[1].find(" to ") != std::string::npos;
    EXPECT_EQ(has_interval, table.title.find("interval") != std::string::npos) << pairs << table.title;
  }
}

}  // namespace
}  // namespace octavo::evaluation
