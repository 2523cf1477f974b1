#include "jobs/phases.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "octavo/progress.h"

namespace octavo::jobs {
namespace {

using Told = std::pair<std::string, std::size_t>;

// What is told of these steps by phases of 1 + 2 + 5 + 2 parts.
std::vector<Told> told_of(const std::vector<ProgressStep>& steps) {
  const std::array<Phase, 4> phases{{{"features", 1}, {"matches", 2}, {"adjusting", 5}, {"matches", 2}}};
  std::vector<Told> told;
  const ProgressSink sink = in_phases(
      [&told](const ProgressStep& step) {
        EXPECT_EQ(step.total, 100);
        told.emplace_back(step.item, step.done);
      },
      phases);
  for (const ProgressStep& step : steps) sink(step);
  return told;
}

TEST(Phases, CountHundredthsOfTheTime) {
  const std::vector<Told> expected{{"features 1 of 2", 0},
                                   {"features 2 of 2", 5},
                                   {"matches 1 of 4", 10},
                                   {"matches 2 of 4", 15},
                                   {"adjusting: affine", 30}};
  EXPECT_EQ(
      told_of({{"features", 0, 2}, {"features", 1, 2}, {"matches", 0, 4}, {"matches", 1, 4}, {"adjusting: affine"}}),
      expected);
}

TEST(Phases, ThatAreLeftOutAreOver) {
  EXPECT_EQ(told_of({{"adjusting", 1, 5}}), (std::vector<Told>{{"adjusting 2 of 5", 40}}));
}

TEST(Phases, NeverGoBack) {
  const std::vector<Told> expected{{"adjusting 5 of 5", 70},
                                   {"features 1 of 2", 70},
                                   {"matches 1 of 4", 80},
                                   {"matches 2 of 4", 85},
                                   {"adjusting 1 of 5", 85}};
  EXPECT_EQ(
      told_of({{"adjusting", 4, 5}, {"features", 0, 2}, {"matches", 0, 4}, {"matches", 1, 4}, {"adjusting", 0, 5}}),
      expected);
}

TEST(Phases, GoOnWhereThreadsTellPartsInAnotherOrder) {
  const std::vector<Told> expected{{"matches 4 of 8", 17}, {"matches 3 of 8", 17}, {"matches 1 of 4", 80}};
  EXPECT_EQ(told_of({{"matches", 3, 8}, {"matches", 2, 8}, {"matches", 0, 4}}), expected);
}

TEST(Phases, ShowAnUnknownStage) { EXPECT_EQ(told_of({{"rest"}}), (std::vector<Told>{{"rest", 0}})); }

// Two files, of which the second takes three times as long, and then pairs.
TEST(Phases, OfItemsHaveTheirStages) {
  const std::array<Phase, 7> phases{
      {{"a", 0}, {"features", 1}, {"cuts", 1}, {"b", 0}, {"features", 3}, {"cuts", 3}, {"pairs", 2}}};
  std::vector<Told> told;
  std::vector<std::string> stages;
  const ProgressSink sink = in_phases(
      [&](const ProgressStep& step) {
        if (step.item.empty()) {
          stages.emplace_back(step.stage);
        } else {
          told.emplace_back(step.item, step.done);
        }
      },
      phases);
  sink({.stage = {}, .done = 0, .total = 2, .item = "a"});
  sink({"features", 0, 10});
  sink({"cuts", 5, 10});
  sink({.stage = {}, .done = 1, .total = 2, .item = "b"});
  sink({"cuts", 0, 4});
  sink({.stage = {}, .done = 1, .total = 2, .item = "pairs"});
  const std::vector<Told> expected{
      {"a 1 of 2", 0}, {"a 1 of 2", 15}, {"b 2 of 2", 20}, {"b 2 of 2", 50}, {"pairs 2 of 2", 90}};
  EXPECT_EQ(told, expected);
  EXPECT_EQ(stages, (std::vector<std::string>{"features", "cuts", "cuts"}));
}

TEST(Phases, OfNobodyTellNothing) { EXPECT_FALSE(in_phases({}, {})); }

}  // namespace
}  // namespace octavo::jobs
