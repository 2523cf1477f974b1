// Shots and their frames, of made clips.

#include "video/takes/shot_frames.h"

#include <gtest/gtest.h>

#include <vector>

#include "octavo/error.h"
#include "video/signature/made_clips.h"

namespace octavo {
namespace {

const MadeScene kitchen{1, 40}, street{2, 40};

// Eight seconds of one scene and four of another, two frames a second.
TakeClip two_shots(unsigned seed) {
  return {
      frames_of(made_clip({{.scene = &kitchen, .seconds = 8}, {.scene = &street, .seconds = 4}}, 2, seed), 2), {}, {}};
}

ShotFrames shot_of(const TakeClip& clip, double in, double out) {
  return frames_of(Shot{.clip = 0, .in = in, .out = out}, clip);
}

TEST(ShotFrames, AreThoseFromTheBeginToBeforeTheEnd) {
  const TakeClip clip = two_shots(1);
  const ShotFrames second = shot_of(clip, 8, 12);
  EXPECT_EQ(second.first, 16u);
  EXPECT_EQ(second.count(), 8u);
  EXPECT_EQ(second.seconds(0), 8);
}

TEST(ShotFrames, AreAlikeAtTheSameMoments) {
  const TakeClip a = two_shots(1), b = two_shots(2);
  const ShotFrames of_a = shot_of(a, 0, 8), of_b = shot_of(b, 0, 8);
  const std::vector<float> affinity = affinities_of(of_a, of_b, 0.01);
  ASSERT_EQ(affinity.size(), 16u * 16u);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_GT(affinity[i * 16 + i], 0.2) << i;
  const std::vector<float> limited = affinities_of(of_a, of_b, 1.01);
  EXPECT_EQ(limited, std::vector<float>(16 * 16, 0));
}

TEST(ShotFrames, OfOtherScenesAreNotAlike) {
  const TakeClip a = two_shots(1), b = two_shots(2);
  for (const float one : affinities_of(shot_of(a, 0, 8), shot_of(b, 8, 12), 0.1)) EXPECT_EQ(one, 0);
}

TEST(ShotFrames, TooManyAreRefused) {
  ShotFrames long_one;
  long_one.end = 20000;
  EXPECT_NO_THROW(require_possible(std::vector{long_one}));
  EXPECT_THROW(require_possible(std::vector{long_one, long_one}), Error);
}

// VLADs in two numbers; the product of two is their likeness.
TakeClip with_vlads(const std::vector<std::vector<std::int16_t>>& vlads) {
  TakeClip clip;
  for (std::size_t i = 0; i < vlads.size(); ++i) {
    clip.frames.seconds.push_back(0.5 * static_cast<double>(i));
    clip.frames.signatures.emplace_back();
  }
  clip.frames.vlads = vlads;
  clip.frames.length = 0.5 * static_cast<double>(vlads.size());
  return clip;
}

TEST(ChanceLimit, ComesFromFramesOfDifferentShotsAlone) {
  // Within a shot frames are the same; what they have in common must not count as chance.
  const std::vector<std::vector<std::int16_t>> ones(20, {16384, 0}), others(20, {0, 16384});
  const TakeClip first = with_vlads(ones), second = with_vlads(others);
  const ShotFrames a = shot_of(first, 0, 10), b = shot_of(second, 0, 10);
  const float same = affinity_of(first.frames, 0, first.frames, 1).share;
  EXPECT_GT(same, 0.9);
  EXPECT_LT(chance_limit(std::vector{a, b}), same / 2);
}

}  // namespace
}  // namespace octavo
