// The ends of segments of made clip files, filmed by a camera that moves.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <utility>
#include <vector>

#include "engine/core/test_folder.h"
#include "octavo/video/copy_segment.h"
#include "video/signature/made_y4m.h"

namespace octavo {
namespace {

constexpr double shown_from = 2, shown_to = 6, clip_length = 8;  // [second]
constexpr double frame_time = 1.0 / made_rate;                   // [second]
constexpr double short_part = 1.52, first_of_other = 2;          // [second]

// A smooth image without an end, by a phase of its own.
double image_at(double x, double y, double phase) {
  return 128 + 28 * std::sin(0.13 * x + 0.05 * y + phase) + 24 * std::sin(0.17 * y - 0.06 * x + 2 * phase) +
         20 * std::sin(0.09 * x + 0.21 * y + 3 * phase);
}

// Where the camera looks. [pixel]
using Camera = std::function<double(double)>;

// It moves to the left at one end, and to the right at the other.
double to_and_fro(double time) { return 16 * std::sin(1.1 * time); }

class EndRefinement : public testing::Test {
 protected:
  // Refines one segment of two clips: the query shows another scene before and after. The features place the image off
  // by some pixels.
  CopySegment refined(const Camera& camera, double pixels_off, int rate = made_rate) {
    const auto seen = [&](int column, int row, double time) { return image_at(column + camera(time), row, 0); };
    const std::filesystem::path query = folder_.write(
        "query.y4m", made_y4m(
                         clip_length,
                         [&](int x, int y, double time) {
                           const bool is_shown = time > shown_from - frame_time / 2 && time < shown_to - frame_time / 2;
                           return is_shown ? seen(x, y, time) : image_at(y, x, 1 + time);
                         },
                         rate));
    const std::filesystem::path other = folder_.write("other.y4m", made_y4m(clip_length, seen, rate));
    CopySegment coarse{.query_in = shown_from + 0.1,
                       .query_out = shown_to - 0.1,
                       .other_in = shown_from + 0.1,
                       .other_out = shown_to - 0.1};
    coarse.change_in = coarse.query_in;
    coarse.change_out = coarse.query_out;
    coarse.other_from_query.tx = pixels_off;
    const std::vector<CopySegment> found = refine_ends(std::vector{coarse}, query, other);
    EXPECT_EQ(found.size(), 1u);
    return found.empty() ? CopySegment{} : found.front();
  }

  // Refines a segment whose line passes two seconds too early, of a still ground: something walks in the other clip
  // from a time on, where an image in the image hides it.
  std::vector<CopySegment> refined_beside_inset(double walks_from) {
    const auto is_hidden = [](int x, int y) { return x >= 46 && x < 138 && y >= 24 && y < 96; };
    const auto ground = [&](int x, int y, double time) {
      const double walked = 60 + 25 * std::max(time - walks_from, 0.0);
      return std::abs(x - walked) < 10 && std::abs(y - 60) < 20 ? 220 : image_at(x, y, 0);
    };
    const std::filesystem::path query =
        folder_.write("query.y4m", made_y4m(clip_length, [&](int x, int y, double time) {
                        return is_hidden(x, y) ? 128 + 100 * std::sin(0.9 * x + 7 * time) * std::sin(0.8 * y - 5 * time)
                                               : ground(x, y, 0);
                      }));
    const std::filesystem::path other = folder_.write("other.y4m", made_y4m(clip_length, ground));
    CopySegment coarse{.query_in = 3, .query_out = 7, .other_in = 1, .other_out = 5};
    coarse.change_in = coarse.query_in;
    coarse.change_out = coarse.query_out;
    return refine_ends(std::vector{coarse}, query, other);
  }

  // Refines a short part at another speed, which the coarse line has too low.
  CopySegment refined_at_speed(double speed) {
    constexpr double coarse_error = 0.9;
    const auto seen = [](int x, int y, double time) { return image_at(x + 5 * std::sin(2.1 * time), y + 3 * time, 0); };
    const std::filesystem::path query =
        folder_.write("query.y4m", made_y4m(clip_length, [&](int x, int y, double time) {
                        const double since = time - shown_from;
                        const bool is_shown = since > -frame_time / 2 && since < short_part - frame_time / 2;
                        return is_shown ? seen(x, y, first_of_other + speed * since) : image_at(y, x, 1 + time);
                      }));
    const std::filesystem::path other = folder_.write("other.y4m", made_y4m(clip_length, seen));
    const double middle = first_of_other + speed * short_part / 2, half = coarse_error * speed * short_part / 2;
    CopySegment coarse{.query_in = shown_from,
                       .query_out = shown_from + short_part,
                       .other_in = middle - half,
                       .other_out = middle + half,
                       .speed = coarse_error * speed};
    coarse.change_in = coarse.query_in;
    coarse.change_out = coarse.query_out;
    const std::vector<CopySegment> found = refine_ends(std::vector{coarse}, query, other);
    EXPECT_EQ(found.size(), 1u) << speed;
    return found.empty() ? CopySegment{} : found.front();
  }

  // Refines a segment of a still ground, over which a light goes. The line passes so much later than it should.
  std::vector<CopySegment> refined_light(const Camera& of_query, const Camera& of_other, double later) {
    const auto film = [&](const Camera& light) {
      return made_y4m(clip_length, [&](int x, int y, double time) {
        const double dx = (x - light(time)) / 22, dy = (y - 60) / 22.0;
        return image_at(x, y, 0) / 2 + 120 * std::exp(-dx * dx - dy * dy);
      });
    };
    const std::filesystem::path query = folder_.write("query.y4m", film(of_query)),
                                other = folder_.write("other.y4m", film(of_other));
    CopySegment coarse{.query_in = 1, .query_out = 7, .other_in = 1 + later, .other_out = 7 + later, .score = 20};
    coarse.change_in = coarse.query_in;
    coarse.change_out = coarse.query_out;
    return refine_ends(std::vector{coarse}, query, other);
  }

  const TestFolder folder_;
};

TEST_F(EndRefinement, APlaceThatIsOffDoesNotShiftTheTime) {
  for (const double pixels : {-1.5, 0.0, 1.5}) {
    const CopySegment one = refined(to_and_fro, pixels);
    EXPECT_TRUE(one.exact_ends) << pixels;
    EXPECT_NEAR(one.query_in, shown_from, frame_time / 2) << pixels;
    EXPECT_NEAR(one.other_in, shown_from, frame_time / 2) << pixels;
    EXPECT_NEAR(one.query_out, shown_to, frame_time / 2) << pixels;
    EXPECT_NEAR(one.other_out, shown_to, frame_time / 2) << pixels;
  }
}

// Slopes end before the right place.
TEST_F(EndRefinement, APlaceThatIsFarOffIsNotExact) {
  const CopySegment one = refined(to_and_fro, 4);
  EXPECT_FALSE(one.exact_ends);
  EXPECT_GT(one.ends_within, 2 * frame_time);
}

// Two of their frames last longer than the greatest shift that is tried.
TEST_F(EndRefinement, FewFramesASecondAreNotExactWhereTheyTellNoTime) {
  for (const auto& [camera, pixels] : {std::pair<Camera, double>(to_and_fro, 6), {[](double t) { return 8 * t; }, 4}}) {
    const CopySegment one = refined(camera, pixels, 2);
    EXPECT_FALSE(one.exact_ends) << pixels;
    EXPECT_GT(one.ends_within, 1) << pixels;
  }
}

// The place is right, but the time could be any.
TEST_F(EndRefinement, WhatMovesBehindAnImageInTheImageTellsNoTime) {
  EXPECT_TRUE(refined_beside_inset(0).empty());
  EXPECT_TRUE(refined_beside_inset(3).empty());  // at one end
  EXPECT_EQ(refined_beside_inset(clip_length).size(), 1u);
}

// A camera that stands matches some seconds away, too.
TEST_F(EndRefinement, ALineThatLiesBeyondTheGreatestShiftIsFollowed) {
  const auto light = [](double time) { return 80 + 40 * std::sin(0.5 * time); };
  for (const double later : {-1.2, 1.2}) {
    const std::vector<CopySegment> found = refined_light(light, light, later);
    ASSERT_EQ(found.size(), 1u) << later;
    EXPECT_NEAR(found.front().other_in, found.front().query_in, frame_time / 2) << later;
    EXPECT_NEAR(found.front().other_out, found.front().query_out, frame_time / 2) << later;
  }
}

// Few frames tell little. Those between tell whether both clips show one time.
TEST_F(EndRefinement, MotionThatDiffersAtOneEndAloneIsNoOtherTime) {
  const auto other = [](double time) { return time < 5.5 ? 80 + 40 * std::sin(1.5 * time) : 80.0; };
  const auto late = [&](double time) { return time < 2 ? 160 - other(time) : other(time); };
  const auto never = [&](double time) { return 160 - other(time); };
  EXPECT_EQ(refined_light(late, other, 0).size(), 1u);
  EXPECT_TRUE(refined_light(never, other, 0).empty());
}

// Few frames tell a speed, and the line goes on from these to the ends.
TEST_F(EndRefinement, EndsOfAShortPartAtAnotherSpeedAreWithinWhatIsTold) {
  for (const double speed : {0.55, 0.7, 1.4, 1.9}) {
    const CopySegment one = refined_at_speed(speed);
    const double off = std::max(std::abs(one.other_in - first_of_other),
                                std::abs(one.other_out - first_of_other - speed * short_part));
    EXPECT_LE(off, one.ends_within) << speed;
  }
}

// Every time fits at a place of its own.
TEST_F(EndRefinement, AnEvenPanTellsNoTime) {
  const CopySegment one = refined([](double time) { return 20 * time; }, 1.5);
  EXPECT_FALSE(one.exact_ends);
  EXPECT_GT(one.ends_within, 2 * frame_time);
}

}  // namespace
}  // namespace octavo
