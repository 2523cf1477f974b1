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
  constexpr std::array<Phase, 4> phases{{{"features", 1}, {"matches", 2}, {"adjusting", 5}, {"matches", 2}}};
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

TEST(Phases, ShowAnUnknownStage) { EXPECT_EQ(told_of({{"rest"}}), (std::vector<Told>{{"rest", 0}})); }

TEST(Phases, OfNobodyTellNothing) { EXPECT_FALSE(in_phases({}, {})); }

}  // namespace
}  // namespace octavo::jobs
