// The speed of segments by their images, of made clip files in which something moves before a still ground.

#include "video/signature/measured_speed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "engine/core/test_folder.h"
#include "video/signature/made_y4m.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

constexpr int frame_rate = made_rate;
constexpr double clip_seconds = 8;

// Grey blocks of 8 pixels, and a bright one of 30 pixels, which walks and never repeats.
double scene_at(int column, int row, double time) {
  static const std::vector<double> blocks = [] {
    std::mt19937 random(7);
    std::vector<double> grey(std::size_t{made_width / 8} * (made_height / 8));
    for (double& one : grey) one = 60 + static_cast<double>(random() % 100);
    return grey;
  }();
  const double x = 80 + 35 * std::sin(0.9 * time) + 20 * std::sin(2.1 * time), y = 60 + 30 * std::sin(1.4 * time);
  const bool is_mover = std::abs(column - x) < 15 && std::abs(row - y) < 15;
  return is_mover ? 200 : blocks[std::size_t(row / 8) * (made_width / 8) + column / 8];
}

class MeasuredSpeed : public testing::Test {
 protected:
  // A clip that shows the scene at these times.
  fs::path clip(const char* name, const std::function<double(double)>& shown_at) {
    const auto grey_at = [&](int x, int y, double time) { return scene_at(x, y, shown_at(time)); };
    return folder_.write(name, made_y4m(clip_seconds, grey_at));
  }

  std::vector<MeasuredSegment> measure(const CopySegment& segment, const std::function<double(double)>& other) {
    const fs::path query = clip("query.y4m", [](double t) { return t; });
    return at_measured_speeds(std::vector{segment}, query, clip("other.y4m", other), {});
  }

  const TestFolder folder_;
};

// The middle of the query lies on the line in any case.
CopySegment segment_at(double speed) {
  CopySegment one{.query_in = 1, .query_out = 7, .speed = speed};
  one.other_in = 4 - 3 * speed;
  one.other_out = 4 + 3 * speed;
  return one;
}

TEST_F(MeasuredSpeed, IsOneWhereTheImagesSaySo) {
  const auto found = measure(segment_at(0.75), [](double t) { return t; });
  ASSERT_EQ(found.size(), 1u);
  const CopySegment& part = found.front().segment;
  EXPECT_FALSE(found.front().otherwise);
  EXPECT_EQ(part.speed, 1);
  EXPECT_NEAR(part.other_in - part.query_in, 0, 0.5 / frame_rate);
  // What the other clip has of the false segment.
  EXPECT_NEAR(part.query_in, 1.75, 0.5 / frame_rate);
  EXPECT_NEAR(part.query_out, 6.25, 0.5 / frame_rate);
}

TEST_F(MeasuredSpeed, StaysWhereTheImagesAgreeWithIt) {
  for (const double speed : {0.75, 1.3}) {
    const auto found = measure(segment_at(speed), [&](double t) { return 4 + (t - 4) / speed; });
    ASSERT_EQ(found.size(), 1u);
    EXPECT_FALSE(found.front().otherwise);
    EXPECT_EQ(found.front().segment, segment_at(speed));
  }
}

TEST_F(MeasuredSpeed, OfAFreezeThatALineCrossesIsThatOfBothParts) {
  // At 3 s the other clip stands for 2 s.
  const auto found =
      measure({.query_in = 1, .query_out = 5, .other_in = 1, .other_out = 7, .speed = 1.5}, [](double t) {
        return t < 3 ? t : t < 5 ? 3 : t - 2;
      });
  ASSERT_EQ(found.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const CopySegment& part = found[i].segment;
    EXPECT_EQ(part.speed, 1);
    EXPECT_NEAR(part.other_in - part.query_in, 2.0 * static_cast<double>(i), 0.5 / frame_rate);
  }
  EXPECT_LE(found[0].segment.query_out, found[1].segment.query_in + 0.5 / frame_rate);
}

TEST_F(MeasuredSpeed, IsOneInDoubtWhereNothingMoves) {
  const fs::path still = clip("still.y4m", [](double) { return 2; });
  for (const double speed : {0.51, 0.75, 1.5}) {
    const auto found = at_measured_speeds(std::vector{segment_at(speed)}, still, still, {});
    ASSERT_EQ(found.size(), 1u) << speed;
    EXPECT_EQ(found.front().otherwise, segment_at(speed)) << speed;
    const CopySegment& part = found.front().segment;
    EXPECT_EQ(part.speed, 1) << speed;
    EXPECT_NEAR(part.other_out - part.other_in, part.query_out - part.query_in, 1e-9) << speed;
    EXPECT_NEAR((part.query_in + part.query_out) / 2, 4, 0.5 / frame_rate) << speed;
  }
}

TEST_F(MeasuredSpeed, InDoubtTheEndsOfTheOtherSpeedLieWithinTheBound) {
  const fs::path still = clip("still.y4m", [](double) { return 2; });
  const CopySegment coarse = segment_at(1.3);
  const auto found = refine_ends(std::vector{coarse}, still, still);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FALSE(found.front().exact_ends);
  EXPECT_GE(found.front().ends_within, std::abs(found.front().other_out - coarse.other_out));
}

// Four noisy frames of two a second, between others: the coarse speed agrees with them no better than 1, theirs does.
TEST_F(MeasuredSpeed, OfFewFramesIsToldNearACoarseOne) {
  constexpr double true_speed = 1.4, apart = 0.6;  // apart: [second] of the scene, of the other clip's frames
  const auto slow_clip = [&](const char* name, int frames, double noise, const std::function<double(int)>& shown_at) {
    std::mt19937 random(5);
    const auto grey_at = [&](int x, int y, double time) {
      const double off = noise * (static_cast<double>(random() % 1001) / 500 - 1);
      return std::clamp(scene_at(x, y, shown_at(static_cast<int>(std::lround(2 * time)))) + off, 0.0, 255.0);
    };
    return folder_.write(name, made_y4m(frames / 2.0, grey_at, 2));
  };
  const fs::path other = slow_clip("other.y4m", 40, 0, [](int k) { return apart * k; });
  const fs::path query = slow_clip("query.y4m", 10, 120, [](int k) {
    return k < 3 || k > 6 ? 40.0 + k : apart * std::floor(6.5 + true_speed * (k - 3));
  });
  const CopySegment coarse{.query_in = 1.5, .query_out = 3.5, .other_in = 2.7, .other_out = 5.9, .speed = 1.6};
  const auto found = at_measured_speeds(std::vector{coarse}, query, other, {});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().segment.speed, coarse.speed);
}

TEST_F(MeasuredSpeed, IsNotMeasuredWhereItIsOne) {
  const auto found = at_measured_speeds(std::vector{segment_at(1)}, "none", "none", {});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FALSE(found.front().otherwise);
}

}  // namespace
}  // namespace octavo
