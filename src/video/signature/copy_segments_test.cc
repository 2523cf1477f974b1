#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "octavo/error.h"
#include "octavo/video/copy_segment.h"
#include "video/signature/made_clips.h"

namespace octavo {
namespace {

std::vector<CopySegment> compared(const ClipSignature& query, const ClipSignature& other) {
  return find_copies(query, other, all_hits(query, other));
}

void expect_segment(const CopySegment& segment, double query_in, double query_out, double other_in, double speed) {
  EXPECT_NEAR(segment.query_in, query_in, 0.41);
  EXPECT_NEAR(segment.query_out, query_out, 0.41);
  EXPECT_NEAR(segment.other_in, other_in, 0.45);
  EXPECT_NEAR(segment.other_out, other_in + speed * (query_out - query_in), 0.45);
  EXPECT_NEAR(segment.speed, speed, 0.03 * speed);
  EXPECT_GT(segment.score, 3);
}

const MadeCopy hard{.scale = 0.6, .tx = 200, .ty = 100, .flipped = 0.12, .kept = 0.5, .unrelated = 150};

TEST(CopySegments, FindsAnExcerpt) {
  const MadeScene scene(1), before(2), after(3);
  const ClipSignature other = made_original({{&scene, 60}}, 4);
  const ClipSignature query = made_clip({{&before, 4}, {&scene, 6, 23.3, 1, hard}, {&after, 5}}, 5, 5);
  const auto found = compared(query, other);
  ASSERT_EQ(found.size(), 1U);
  expect_segment(found[0], 4, 10, 23.3, 1);
  EXPECT_NEAR(found[0].other_from_query.a, 1 / 0.6, 0.02);
  EXPECT_NEAR(found[0].other_from_query.b, 0, 0.02);
  EXPECT_FALSE(found[0].mirrored);
  EXPECT_GE(found[0].frames, 20);
}

TEST(CopySegments, FindsAStretchedExcerpt) {
  const MadeScene scene(1), before(2), after(3);
  const ClipSignature other = made_original({{&scene, 60}}, 4);
  MadeCopy stretched = hard;
  for (const double stretch : {0.6, 1.45}) {
    stretched.stretch = stretch;
    stretched.tx = 40;
    const ClipSignature query = made_clip({{&before, 4}, {&scene, 6, 23.3, 1, stretched}, {&after, 5}}, 5, 5);
    const auto found = compared(query, other);
    ASSERT_EQ(found.size(), 1U);
    expect_segment(found[0], 4, 10, 23.3, 1);
    EXPECT_NEAR(found[0].other_from_query.stretch, 1 / stretch, 0.03);
    EXPECT_NEAR(found[0].other_from_query.a, 1 / 0.6, 0.03);
  }
}

CopyOptions shaking() {
  CopyOptions options;
  options.shake = 0.15;
  return options;
}

// An excerpt whose image moves by up to 50 of 640 pixels from frame to frame.
ClipSignature shaken_excerpt(const MadeScene& scene) {
  std::vector<MadePart> parts;
  for (int n = 0; n < 30; ++n) {
    const int to_side = n * 37 % 101 - 50, down = n * 53 % 101 - 50;
    parts.push_back({&scene, 0.2, 20 + 0.2 * n, 1, {.tx = 1.0 * to_side, .ty = 1.0 * down}});
  }
  return made_clip(parts, 5, 5);
}

TEST(CopySegments, FindsAHandThatShakesIfItMay) {
  const MadeScene scene(1);
  const ClipSignature other = made_original({{&scene, 60}}, 4), query = shaken_excerpt(scene);
  EXPECT_TRUE(compared(query, other).empty());
  const auto found = find_copies(query, other, all_hits(query, other), shaking());
  ASSERT_EQ(found.size(), 1U);
  expect_segment(found[0], 0, 6, 20, 1);
  EXPECT_TRUE(found[0].shaken);
}

TEST(CopySegments, ASteadyImageIsNotShaken) {
  const MadeScene scene(1);
  const ClipSignature other = made_original({{&scene, 60}}, 4), query = made_clip({{&scene, 6, 23.3, 1, hard}}, 5, 5);
  const auto found = find_copies(query, other, all_hits(query, other), shaking());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_FALSE(found[0].shaken);
}

TEST(CopySegments, FindsSpeeds) {
  const MadeScene scene(1);
  const ClipSignature other = made_original({{&scene, 60}}, 4);
  for (const double speed : {0.5, 0.8, 1.25, 2.0}) {
    const ClipSignature query = made_clip({{&scene, 8, 20, speed}}, 5, 5);
    const auto found = compared(query, other);
    ASSERT_EQ(found.size(), 1U) << speed;
    expect_segment(found[0], 0, 8, 20, speed);
  }
}

TEST(CopySegments, ACutOutGivesTwo) {
  const MadeScene scene(1);
  const ClipSignature other = made_original({{&scene, 60}}, 4);
  const ClipSignature query = made_clip({{&scene, 6, 10, 1, hard}, {&scene, 6, 19, 1, hard}}, 5, 5);
  auto found = compared(query, other);
  ASSERT_EQ(found.size(), 2U);
  if (found[0].query_in > found[1].query_in) std::swap(found[0], found[1]);
  expect_segment(found[0], 0, 6, 10, 1);
  expect_segment(found[1], 6, 12, 19, 1);
}

TEST(CopySegments, FindsPartsBeforeAndAfterALeapOfTheTimes) {
  const MadeScene scene(1), next(2);
  ClipSignature other = made_original({{&scene, 20}, {&next, 20}}, 4);
  ClipSignature query = made_clip({{&scene, 6, 10, 1, hard}, {&next, 6, 5, 1, hard}}, 5, 5);
  constexpr double leap = 1e10;
  for (const auto& [clip, seconds] : {std::pair(&other, 20.0), std::pair(&query, 6.0)}) {
    clip->seconds += leap;
    for (FrameSignature& frame : clip->frames) {
      if (frame.until > seconds) frame.until += leap;  // the frame before the leap too, as older files have it
      if (frame.seconds >= seconds - 1e-9) frame.seconds += leap;
    }
  }
  auto found = compared(query, other);
  ASSERT_EQ(found.size(), 2U);
  if (found[0].query_in > found[1].query_in) std::swap(found[0], found[1]);
  expect_segment(found[0], 0, 6, 10, 1);
  expect_segment(found[1], leap + 6, leap + 12, leap + 25, 1);
}

// A camera that stands still: most features stay, some move.
TEST(CopySegments, AStillCameraMatchesWhereItMoves) {
  const MadeScene background(1, 60, 100, 1e6), people(2, 60, 60);
  const auto shot = [&](double fps, double from, double seconds, unsigned seed) {
    ClipSignature clip = made_original({{&people, seconds, from}}, seed);
    if (fps != 2) clip = made_clip({{&people, seconds, from, 1, {.flipped = 0.05, .unrelated = 0}}}, fps, seed);
    for (FrameSignature& frame : clip.frames) {
      for (const SignatureFeature& feature :
           copied(background.frame(0), {.kept = 0.8, .unrelated = 0}, seed + static_cast<unsigned>(frame.index))
               .features) {
        frame.features.push_back(feature);
      }
    }
    return clip;
  };
  const auto found = compared(shot(5, 33.2, 8, 1), shot(2, 0, 60, 7));
  ASSERT_EQ(found.size(), 1U);
  expect_segment(found[0], 0, 8, 33.2, 1);
}

TEST(CopySegments, ARepetitionIsFoundTwice) {
  const MadeScene scene(1), rest(2);
  const ClipSignature other = made_original({{&scene, 6, 10}, {&rest, 9}, {&scene, 6, 10}, {&rest, 9, 20}}, 4);
  const ClipSignature query = made_clip({{&scene, 6, 10, 1, hard}}, 5, 5);
  auto found = compared(query, other);
  ASSERT_EQ(found.size(), 2U);
  if (found[0].other_in > found[1].other_in) std::swap(found[0], found[1]);
  expect_segment(found[0], 0, 6, 0, 1);
  expect_segment(found[1], 0, 6, 15, 1);
}

TEST(CopySegments, UnrelatedClipsShareNothing) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    const MadeScene a(2 * seed + 10), b(2 * seed + 11);
    EXPECT_TRUE(compared(made_clip({{&a, 20}}, 5, 1), made_original({{&b, 40}}, 2)).empty());
  }
}

TEST(CopySegments, ALogoIsNoSegment) {
  const MadeScene a(1), b(2), logo(3, 60, 150, 1e6);
  ClipSignature query = made_clip({{&a, 10}}, 5, 1), other = made_original({{&b, 20}}, 2);
  for (ClipSignature* clip : {&query, &other}) {
    for (FrameSignature& frame : clip->frames) {
      const FrameSignature small = copied(logo.frame(0), {.scale = 0.12, .tx = 520, .ty = 20, .unrelated = 0},
                                          5 + static_cast<unsigned>(frame.index));
      frame.features.insert(frame.features.end(), small.features.begin(), small.features.end());
    }
  }
  EXPECT_TRUE(compared(query, other).empty());
}

// An image that is shown for 20 s is one frame of the signature.
TEST(CopySegments, StillImages) {
  const MadeScene image(1), rest(2);
  const auto still = [&](double begin, double end, unsigned seed) {
    FrameSignature frame = copied(image.frame(5), {.unrelated = 20}, seed);
    frame.seconds = begin;
    frame.until = end;
    return frame;
  };
  ClipSignature other = made_original({{&rest, 10}}, 4);
  other.frames.push_back(still(10, 30, 1));
  other.seconds = 30;
  ClipSignature query{.seconds = 8, .frames = {still(0, 8, 2)}};
  const auto found = find_copies(query, other, all_hits(query, other), {.min_frames = 1});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].query_in, 0, 0.01);
  EXPECT_NEAR(found[0].query_out, 8, 0.01);
  EXPECT_GE(found[0].other_in, 9.5);
  EXPECT_LE(found[0].other_out, 30.01);
}

// The clip, whose frame at `at` stands for `seconds` longer, as where a copy is padded.
ClipSignature frozen(ClipSignature clip, double at, double seconds) {
  for (FrameSignature& frame : clip.frames) {
    if (frame.until > at) frame.until += seconds;
    if (frame.seconds > at) frame.seconds += seconds;
  }
  clip.seconds += seconds;
  return clip;
}

// The clip with no feature from `from` to `to`, as where it is black.
ClipSignature blackened(ClipSignature clip, double from, double to) {
  for (FrameSignature& frame : clip.frames) {
    if (frame.seconds < from - 1e-9 || frame.seconds >= to - 1e-9) continue;
    frame.features.clear();
    frame.junk = Junk::black;
  }
  return clip;
}

// The segments that two clips share begin and end at these times of `a`, whichever clip is searched for. The query has
// 5 frames a second, the other clip 2.
using OfFps = std::function<ClipSignature(double fps)>;
void expect_shared(const OfFps& a, const OfFps& b, const std::vector<std::pair<double, double>>& of_a,
                   const std::string& what, double tolerance = 0.75) {
  for (const bool swapped : {false, true}) {
    const ClipSignature query = (swapped ? b : a)(5), other = (swapped ? a : b)(2);
    std::vector<CopySegment> found = compared(query, other);
    std::vector<std::pair<double, double>> times;
    for (const CopySegment& one : found) {
      times.emplace_back(swapped ? one.other_in : one.query_in, swapped ? one.other_out : one.query_out);
    }
    std::sort(times.begin(), times.end());
    ASSERT_EQ(times.size(), of_a.size()) << what << (swapped ? ", swapped" : "");
    for (std::size_t i = 0; i < times.size(); ++i) {
      EXPECT_NEAR(times[i].first, of_a[i].first, tolerance) << what << (swapped ? ", swapped" : "");
      EXPECT_NEAR(times[i].second, of_a[i].second, tolerance) << what << (swapped ? ", swapped" : "");
    }
  }
}

constexpr MadeCopy little{.flipped = 0.04, .kept = 0.85, .unrelated = 20};

TEST(CopySegments, AFrozenFrameIsOneFrame) {
  const MadeScene scene(1), another(2), third(3);
  const auto film = [&](std::vector<MadePart> parts) {
    return [parts = std::move(parts)](double fps) { return made_clip(parts, fps, static_cast<unsigned>(fps)); };
  };
  const OfFps shared = film({{&scene, 6, 10, 1, little}});
  for (const double seconds : {2.0, 20.0}) {
    const std::string what = std::to_string(seconds) + " s frozen";
    expect_shared([&](double fps) { return frozen(shared(fps), 5.9, seconds); },
                  film({{&scene, 6, 10, 1, little}, {&another, seconds, 0, 1, little}}), {{0, 6}},
                  what + " at the end");
    expect_shared([&](double fps) { return frozen(shared(fps), 0, seconds); },
                  film({{&another, seconds, 0, 1, little}, {&scene, 6, 10, 1, little}}), {{seconds, seconds + 6}},
                  what + " at the begin");
    expect_shared(
        [&](double fps) {
          return frozen(film({{&scene, 12, 10, 1, little}})(fps), 5.9, seconds);
        },
        film({{&scene, 6, 10, 1, little}, {&another, seconds, 0, 1, little}, {&scene, 6, 16, 1, little}}),
        {{0, 6}, {6 + seconds, 12 + seconds}}, what + " in the middle");
  }
}

// The clip that goes on matches the frozen frame by what stands still in it.
TEST(CopySegments, AFrozenFrameOfAStillCameraIsOneFrame) {
  const MadeScene background(1, 60, 100, 1e6), people(2, 60, 60);
  const auto shot = [&](double fps, double seconds) {
    ClipSignature clip = made_clip({{&people, seconds, 10, 1, little}}, fps, 7);
    for (FrameSignature& frame : clip.frames) {
      const FrameSignature behind =
          copied(background.frame(0), little, static_cast<unsigned>(frame.index) + static_cast<unsigned>(fps * 1000));
      frame.features.insert(frame.features.end(), behind.features.begin(), behind.features.end());
    }
    return clip;
  };
  for (const double seconds : {4.0, 20.0}) {
    expect_shared([&](double fps) { return frozen(shot(fps, 6), 5.9, seconds); },
                  [&](double fps) { return shot(fps, 6 + seconds); }, {{0, 6}}, std::to_string(seconds), 1.5);
  }
}

TEST(CopySegments, BothStandStill) {
  const MadeScene scene(1);
  const OfFps both = [&](double fps) {
    return frozen(made_clip({{&scene, 6, 10, 1, little}}, fps, static_cast<unsigned>(fps)), 5.9, 20);
  };
  expect_shared(both, both, {{0, 26}}, "both");
}

TEST(CopySegments, BlackBesideAImageIsAnotherImage) {
  const MadeScene scene(1);
  const OfFps shot = [&](double fps) {
    return made_clip({{&scene, 30, 10, 1, little}}, fps, static_cast<unsigned>(fps));
  };
  const OfFps black = [&](double fps) { return blackened(shot(fps), 8, 22); };
  expect_shared(black, shot, {{0, 8}, {22, 30}}, "black in one clip");
  expect_shared(black, black, {{0, 30}}, "black in both");
}

TEST(CopySegments, TooShortIsNone) {
  const MadeScene scene(1), rest(2);
  const ClipSignature other = made_original({{&scene, 30}}, 4);
  const ClipSignature query = made_clip({{&rest, 4}, {&scene, 1.4, 10}, {&rest, 4, 20}}, 5, 5);
  EXPECT_TRUE(compared(query, other).empty());
  EXPECT_EQ(find_copies(query, other, all_hits(query, other), {.min_seconds = 1}).size(), 1U);
}

// 1.25 s of the other clip, slowed down, last 2.5 s of the query.
TEST(CopySegments, TooShortInTheOtherClipIsNone) {
  const MadeScene scene(1), rest(2);
  const ClipSignature other = made_original({{&scene, 1.25, 10}, {&rest, 30}}, 4);
  const ClipSignature query = made_clip({{&rest, 4, 40}, {&scene, 2.5, 10, 0.5}, {&rest, 4, 50}}, 5, 5);
  EXPECT_TRUE(compared(query, other).empty());
  EXPECT_EQ(find_copies(query, other, all_hits(query, other), {.min_seconds = 1}).size(), 1U);
}

TEST(CopySegments, EmptyClips) {
  const MadeScene scene(1);
  const ClipSignature some = made_original({{&scene, 5}}, 4);
  EXPECT_TRUE(compared({}, some).empty());
  EXPECT_TRUE(compared(some, {}).empty());
}

TEST(CopySegments, CoverageCountsEachTimeOnce) {
  const std::vector<CopySegment> segments{{.query_in = 0, .query_out = 4, .other_in = 10, .other_out = 14},
                                          {.query_in = 2, .query_out = 6, .other_in = 30, .other_out = 34}};
  EXPECT_NEAR(coverage(segments, 12, true), 0.5, 1e-12);
  EXPECT_NEAR(coverage(segments, 40, false), 0.2, 1e-12);
  EXPECT_EQ(coverage({}, 40, false), 0);
  EXPECT_EQ(coverage(segments, 0, true), 1) << "an image";
}

TEST(CopySegments, OfASegmentAndItsReflectionTheBetterCounts) {
  const CopySegment plain{.query_in = 0, .query_out = 4, .inliers = 100, .score = 5};
  const CopySegment mirrored{.query_in = 1, .query_out = 4, .mirrored = true, .inliers = 80, .score = 6};
  const CopySegment elsewhere{.query_in = 10, .query_out = 14, .mirrored = true, .inliers = 80, .score = 7};
  EXPECT_EQ(without_reflections({mirrored, plain, elsewhere}), (std::vector{elsewhere, plain}));
}

// Before a still camera all lines match; the right ones match best.
TEST(CopySegments, PartsForwardsCountBeforeALineBackwardsThatPassesAll) {
  const CopySegment first{.query_in = 0, .query_out = 3, .inliers = 300, .score = 5};
  const CopySegment second{.query_in = 3, .query_out = 6, .inliers = 290, .score = 4};
  const CopySegment backwards{.query_in = 0, .query_out = 6, .speed = -1, .inliers = 500, .score = 6};
  EXPECT_EQ(without_reflections({first, second, backwards}), (std::vector{first, second}));
  const CopySegment true_one{.query_in = 0, .query_out = 6, .speed = -1, .inliers = 700, .score = 6};
  EXPECT_EQ(without_reflections({first, second, true_one}), (std::vector{true_one}));
}

TEST(CopySegments, OptionsOutOfRange) {
  EXPECT_THROW(find_copies({}, {}, {}, {.min_speed = 2}), Error);
  EXPECT_THROW(find_copies({}, {}, {}, {.min_frames = 0}), Error);
}

}  // namespace
}  // namespace octavo
