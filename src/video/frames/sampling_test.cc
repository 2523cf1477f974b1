#include "video/frames/sampling.h"

#include <gtest/gtest.h>

#include <vector>

namespace octavo::video {
namespace {

std::vector<std::size_t> taken(Sampling sampling, const std::vector<std::int64_t>& ticks) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    if (sampling.takes(ticks[i])) indices.push_back(i);
  }
  return indices;
}

std::vector<std::int64_t> times(std::int64_t first, std::int64_t step, std::size_t count) {
  std::vector<std::int64_t> ticks;
  for (std::size_t i = 0; i < count; ++i) ticks.push_back(first + static_cast<std::int64_t>(i) * step);
  return ticks;
}

TEST(Sampling, EveryNth) {
  EXPECT_EQ(taken(Sampling(1, 2, {1, 25}), times(0, 1, 4)), (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(taken(Sampling(3, 2, {1, 25}), times(-7, 0, 8)), (std::vector<std::size_t>{0, 3, 6}));
}

// Of 25 frames a second, interval k of half a second begins at 12.5 k frames.
TEST(Sampling, FirstFrameOfEachInterval) {
  EXPECT_EQ(taken(Sampling(0, 2, {1, 25}), times(0, 1, 60)), (std::vector<std::size_t>{0, 13, 25, 38, 50}));
  EXPECT_EQ(taken(Sampling(0, 2, {1, 90000}), times(900'000'000'000, 3600, 60)),
            (std::vector<std::size_t>{0, 13, 25, 38, 50}));
}

// 30000/1001 frames a second, whose times are no decimal fractions: frame 15 comes at 0.5005 s.
TEST(Sampling, IsExactForBroadcastRates) {
  std::vector<std::size_t> expected;
  std::int64_t before = -1;
  for (std::size_t i = 0; i < 3000; ++i) {
    const std::int64_t interval = static_cast<std::int64_t>(i) * 1001 * 4 / 30000;
    if (interval > before) expected.push_back(i);
    before = interval;
  }
  EXPECT_EQ(taken(Sampling(0, 4, {1001, 30000}), times(0, 1, 3000)), expected);
}

TEST(Sampling, TakesAllFramesOfSlowVideos) {
  EXPECT_EQ(taken(Sampling(0, 1000, {1, 25}), times(5, 1, 3)), (std::vector<std::size_t>{0, 1, 2}));
  // A gap gives no frame, and no more than one frame after it.
  EXPECT_EQ(taken(Sampling(0, 1, {1, 10}), {0, 3, 52, 55, 60}), (std::vector<std::size_t>{0, 2, 4}));
}

TEST(Sampling, BeginsAgainWhereTimesGoBack) {
  EXPECT_EQ(taken(Sampling(0, 1, {1, 10}), {1000, 1005, 1010, 3, 8, 13}), (std::vector<std::size_t>{0, 2, 3, 5}));
}

TEST(Sampling, SurvivesEveryTime) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(taken(Sampling(0, 1000, {2147483647, 1}), {-most, 0, most}), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(taken(Sampling(0, 0.001, {1, 2147483647}), {0, most / 2, most}).front(), 0u);
}

}  // namespace
}  // namespace octavo::video
