// Shares of the work on clips, without clips: only their facts count.

#include "jobs/clip_phases.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace octavo::jobs {
namespace {

// Of two clips of one size the second is three times as long.
const std::array<ReadFile, 2> two_clips{
    {{"a.mp4", reading_work(640, 360, 10), 10}, {"b.mp4", reading_work(640, 360, 30), 30}}};

// The hundredths that are told at these items and stages.
std::vector<std::size_t> told_at(const std::vector<Phase>& phases, const std::vector<ProgressStep>& steps) {
  std::size_t now = 0;
  const ProgressSink sink = in_phases(
      [&](const ProgressStep& step) {
        if (!step.item.empty()) now = step.done;
      },
      phases);
  std::vector<std::size_t> told;
  for (const ProgressStep& step : steps) {
    sink(step);
    told.push_back(now);
  }
  return told;
}

ProgressStep item(const char* name) { return {.stage = {}, .done = 0, .total = 2, .item = name}; }

TEST(ClipPhases, OfTakesFollowTheLengthsOfClips) {
  EXPECT_EQ(told_at(phases_of_takes(two_clips, true, false), {item("a.mp4"),
                                                              {"features of a.mp4", 5, 10},
                                                              {"cuts of a.mp4"},
                                                              item("b.mp4"),
                                                              {"cuts of b.mp4", 15, 30},
                                                              {"comparing shots"}}),
            (std::vector<std::size_t>{0, 4, 9, 24, 76, 99}));
}

TEST(ClipPhases, OfAFileThatFailsArePassed) {
  EXPECT_EQ(
      told_at(phases_of_takes(two_clips, true, false), {item("a.mp4"), item("b.mp4"), {"features of b.mp4", 15, 30}}),
      (std::vector<std::size_t>{0, 24, 39}));
}

TEST(ClipPhases, OfASheetReadClipsOnceMore) {
  EXPECT_EQ(told_at(phases_of_takes(two_clips, true, true), {{"comparing shots"}, {"images of b.mp4", 1, 2}}),
            (std::vector<std::size_t>{79, 92}));
}

TEST(ClipPhases, GrowWithThePixels) {
  EXPECT_GT(reading_work(1920, 1080, 10), 5 * reading_work(640, 360, 10));
  EXPECT_EQ(reading_work(640, 360, 20), 2 * reading_work(640, 360, 10));
}

}  // namespace
}  // namespace octavo::jobs
