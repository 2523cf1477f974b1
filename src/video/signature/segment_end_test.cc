// The ends of segments to the frame, of made cells whose values move.

#include "video/signature/segment_end.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "video/signature/made_cells.h"

namespace octavo {
namespace {

constexpr double frames_per_second = 25;
constexpr double end_of_both = 4;  // [second] where one clip stands or begins to move

// Frames within 1.7 s of the end. The clip shows `stands` for those beyond the end if it stands there.
std::vector<FrameCells> window(bool is_in, bool stands) {
  std::vector<FrameCells> frames;
  for (double begin = end_of_both - 1.7; begin < end_of_both + 1.7; begin += 1 / frames_per_second) {
    const double last = end_of_both - 1 / frames_per_second;
    const double shown = !stands ? begin : is_in ? std::max(begin, end_of_both) : std::min(begin, last);
    frames.push_back({begin, begin + 1 / frames_per_second, seen_at(shown)});
  }
  return frames;
}

// The coarse end lies 0.4 s outside of the true one, as far as what stands still seems to be the same.
double found_end(bool is_in, bool query_stands, bool other_stands) {
  const std::vector<FrameCells> query = window(is_in, query_stands), other = window(is_in, other_stands);
  const std::vector<std::size_t> blocks = blocks_of_cells();
  const double coarse = end_of_both + (is_in ? -0.4 : 0.4);
  const SegmentEnd end(query, other, blocks, {coarse, coarse}, 1, is_in);
  const auto found = end.find(1, 0);
  EXPECT_TRUE(found.has_value());
  return found ? found->at.query : 0;
}

TEST(SegmentEnd, AFrameThatStandsEndsWhereTheOtherClipMovesOn) {
  for (const bool is_in : {false, true}) {
    for (const bool query_stands : {false, true}) {
      const std::string what =
          std::string(is_in ? "begin" : "end") + (query_stands ? " of the query" : " of the other");
      EXPECT_NEAR(found_end(is_in, query_stands, !query_stands), end_of_both, 2.5 / frames_per_second) << what;
    }
  }
}

// The end of a segment where the query stands from end_of_both on and the other clip moves on, `pace` times as fast as
// usual. The first frames that stand are coded coarsely, and settle.
SegmentEnd::Found end_at_settling_freeze(double pace) {
  constexpr double settled = end_of_both + 5 / frames_per_second;
  const auto frames = [&](bool stands) {
    std::vector<FrameCells> all = window(false, stands);
    for (FrameCells& frame : all) {
      const bool is_frozen = stands && frame.begin > end_of_both - 1.5 / frames_per_second;
      frame.values = seen_at(pace * (is_frozen ? end_of_both - 1 / frames_per_second : frame.begin));
      if (is_frozen && frame.begin < settled) {
        for (float& value : frame.values) value += 1.2F;
      }
    }
    return all;
  };
  const std::vector<FrameCells> query = frames(true), other = frames(false);
  const std::vector<std::size_t> blocks = blocks_of_cells();
  const SegmentEnd end(query, other, blocks, {end_of_both + 0.4, end_of_both + 0.4}, 1, false);
  const std::optional<SegmentEnd::Found> found = end.freeze(1, 0);
  EXPECT_TRUE(found);
  return found.value_or(SegmentEnd::Found{});
}

TEST(SegmentEnd, AFreezeThatSettlesBeginsWhereTheOtherClipShowsItsImage) {
  const SegmentEnd::Found found = end_at_settling_freeze(1);
  EXPECT_NEAR(found.at.query, end_of_both, 0.5 / frames_per_second);
  EXPECT_NEAR(found.at.other, end_of_both, 0.5 / frames_per_second);
  EXPECT_LE(found.within, 2 / frames_per_second);
}

TEST(SegmentEnd, AFreezeOfASlowSceneIsNotExact) {
  const SegmentEnd::Found found = end_at_settling_freeze(0.1);
  EXPECT_GT(found.within, 2 / frames_per_second);
  EXPECT_LE(std::abs(found.at.query - end_of_both), found.within);
}

// Where a freeze ends the segment, if the query shows an image for 1 s, and then goes on: along the line, or from where
// it stood.
std::optional<SegmentEnd::Found> end_at_pause(bool is_in, bool along_line) {
  constexpr double pause = 1;  // [second]
  std::vector<FrameCells> query = window(is_in, false);
  const std::vector<FrameCells> other = window(is_in, false);
  const std::vector<std::size_t> blocks = blocks_of_cells();
  const double outwards = is_in ? -1 : 1, shown = is_in ? end_of_both : end_of_both - 1 / frames_per_second;
  for (FrameCells& frame : query) {
    const double beyond = outwards * (frame.begin - shown);
    if (beyond < 0) continue;
    frame.values = seen_at(beyond < pause ? shown : along_line ? frame.begin : frame.begin - outwards * pause);
  }
  const double coarse = end_of_both + outwards * 0.4;
  return SegmentEnd(query, other, blocks, {coarse, coarse}, 1, is_in).freeze(1, 0);
}

TEST(SegmentEnd, APauseEndsASegmentIfTheClipGoesOnFromWhereItStood) {
  for (const bool is_in : {false, true}) {
    const auto found = end_at_pause(is_in, false);
    ASSERT_TRUE(found) << is_in;
    EXPECT_NEAR(found->at.query, end_of_both, 2.5 / frames_per_second) << is_in;
  }
}

TEST(SegmentEnd, FramesThatAreRepeatedForASecondEndNothing) {
  for (const bool is_in : {false, true}) EXPECT_FALSE(end_at_pause(is_in, true)) << is_in;
}

TEST(SegmentEnd, AnotherImageThatStandsIsNoFreeze) {
  std::vector<FrameCells> query = window(false, false);
  const std::vector<FrameCells> other = window(false, false);
  const std::vector<std::size_t> blocks = blocks_of_cells();
  for (FrameCells& frame : query) {
    if (frame.begin > end_of_both - 0.5 / frames_per_second) std::ranges::reverse(frame.values = seen_at(0));
  }
  const SegmentEnd end(query, other, blocks, {end_of_both + 0.4, end_of_both + 0.4}, 1, false);
  EXPECT_FALSE(end.freeze(1, 0));
  const auto found = end.find(1, 0);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->at.query, end_of_both, 1.5 / frames_per_second);
}

// A coarse end lies 0.8 s outside.
TEST(SegmentEnd, TheLineAgreesWhereOnlySomeFramesAreTheSame) {
  const std::vector<FrameCells> other = window(true, false);
  std::vector<FrameCells> query = other;
  for (FrameCells& frame : query) {
    if (frame.begin < end_of_both + 0.8) std::ranges::reverse(frame.values);
  }
  const std::vector<std::size_t> blocks = blocks_of_cells();
  const SegmentEnd end(query, other, blocks, {end_of_both, end_of_both}, 1, true);
  for (const double shift : {-0.4, -0.1, 0.1, 0.4})
    EXPECT_GT(end.agreement(1, 0), end.agreement(1, shift) + 0.05) << shift;
  const auto found = end.find(1, 0);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->at.query, end_of_both + 0.8, 1.5 / frames_per_second);
}

// The scene of a still camera goes on at another time: half a second changes little, but far more than noise.
TEST(SegmentEnd, ACutToAnotherTimeOfASlowSceneIsSeen) {
  for (const bool is_in : {false, true}) {
    const std::vector<FrameCells> other = window(is_in, false);
    std::vector<FrameCells> query = other;
    for (FrameCells& frame : query) {
      const bool is_beyond = is_in ? frame.begin < end_of_both - 0.5 / frames_per_second
                                   : frame.begin > end_of_both - 0.5 / frames_per_second;
      frame.values = seen_at(0.1 * (is_beyond ? frame.begin + 9 : frame.begin));
    }
    std::vector<FrameCells> slow = other;
    for (FrameCells& frame : slow) frame.values = seen_at(0.1 * frame.begin);
    const std::vector<std::size_t> blocks = blocks_of_cells();
    const double coarse = end_of_both + (is_in ? -0.4 : 0.4);
    const auto found = SegmentEnd(query, slow, blocks, {coarse, coarse}, 1, is_in).find(1, 0);
    ASSERT_TRUE(found) << is_in;
    EXPECT_NEAR(found->at.query, end_of_both, 0.5 / frames_per_second) << is_in;
    EXPECT_LE(found->within, 2 / frames_per_second) << is_in;
  }
}

// A freeze within a slow scene, four frames before the other clip cuts: these look much alike, but move.
TEST(SegmentEnd, AFreezeSoonBeforeACutEndsAtItsFrame) {
  for (const bool is_in : {false, true}) {
    const double outwards = is_in ? -1 : 1, shown = is_in ? end_of_both : end_of_both - 1 / frames_per_second;
    std::vector<FrameCells> query = window(is_in, false), other = query;
    for (std::size_t k = 0; k < query.size(); ++k) {
      const double beyond = outwards * (query[k].begin - shown);
      other[k].values = query[k].values = seen_at(0.7 * query[k].begin);
      if (beyond > 0) query[k].values = seen_at(0.7 * shown);
      if (beyond > 4.5 / frames_per_second) std::ranges::reverse(other[k].values);
    }
    const std::vector<std::size_t> blocks = blocks_of_cells();
    const double coarse = end_of_both + outwards * 0.4;
    const auto found = SegmentEnd(query, other, blocks, {coarse, coarse}, 1, is_in).freeze(1, 0);
    ASSERT_TRUE(found) << is_in;
    EXPECT_NEAR(found->at.query, end_of_both, 0.5 / frames_per_second) << is_in;
    EXPECT_NEAR(found->at.other, end_of_both, 0.5 / frames_per_second) << is_in;
  }
}

// A caption that grows over the image for 0.8 s makes the frames less alike little by little, and then another scene
// follows.
SegmentEnd::Found end_below_caption(bool is_in) {
  constexpr double growth = 0.8;  // [second]
  const double outwards = is_in ? -1 : 1, last = is_in ? end_of_both : end_of_both - 1 / frames_per_second;
  const std::vector<FrameCells> other = window(is_in, false);
  std::vector<FrameCells> query = other;
  for (FrameCells& frame : query) {
    const double beyond = outwards * (frame.begin - last);
    for (std::size_t p = 0; p < frame.values.size(); p += 4)
      frame.values[p] += static_cast<float>(80 * std::max(beyond + growth, 0.0) / growth);
    if (beyond > 0.5 / frames_per_second) std::ranges::reverse(frame.values = seen_at(0));
  }
  const std::vector<std::size_t> blocks = blocks_of_cells();
  const auto found = SegmentEnd(query, other, blocks, {end_of_both, end_of_both}, 1, is_in).find(1, 0);
  EXPECT_TRUE(found) << is_in;
  return found.value_or(SegmentEnd::Found{});
}

TEST(SegmentEnd, ACaptionThatGrowsOverTheImageDoesNotEndASegmentBeforeACut) {
  for (const bool is_in : {false, true}) {
    const SegmentEnd::Found found = end_below_caption(is_in);
    EXPECT_NEAR(found.at.query, end_of_both, 0.5 / frames_per_second) << is_in;
    EXPECT_NEAR(found.at.other, end_of_both, 0.5 / frames_per_second) << is_in;
  }
}

// Frames that go on to be the same up to the border of the window: nothing tells that they end there.
TEST(SegmentEnd, AWindowThatIsTheSameThroughoutTellsNoEnd) {
  const std::vector<FrameCells> both = window(true, false);
  const std::vector<std::size_t> blocks = blocks_of_cells();
  const auto found = SegmentEnd(both, both, blocks, {end_of_both, end_of_both}, 1, true).find(1, 0);
  ASSERT_TRUE(found);
  EXPECT_GE(found->within, std::abs(found->at.query - end_of_both));
}

TEST(SegmentEnd, WhatStandsInBothClipsOrMovesInBothGoesOn) {
  for (const bool stand : {false, true}) {
    EXPECT_GT(found_end(false, stand, stand), end_of_both + 1) << stand;
    EXPECT_LT(found_end(true, stand, stand), end_of_both - 1) << stand;
  }
}

}  // namespace
}  // namespace octavo
