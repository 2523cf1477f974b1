#include "video/takes/shots.h"

#include <gtest/gtest.h>

#include "video/signature/made_clips.h"

namespace octavo {
namespace {

Shot shot(double in, double out) { return {.clip = 3, .in = in, .out = out, .exact = true}; }

TEST(Shots, LieBetweenCutsAndJunk) {
  const ClipCuts cuts{.seconds = 30, .cuts = {10, 24}, .junk = {{0, 2, Junk::bars}, {16, 17, Junk::black}}};
  const ClipShots found = shots_of(3, cuts, true, {}, 0.5, 2);
  EXPECT_EQ(found.shots, (std::vector{shot(2, 10), shot(10, 16), shot(17, 24), shot(24, 30)}));
  EXPECT_EQ(found.left_out, (std::vector<JunkShot>{{shot(0, 2), Junk::bars}, {shot(16, 17), Junk::black}}));
}

TEST(Shots, ThatAreShortAreLeftOut) {
  const ClipShots found = shots_of(3, {.seconds = 10, .cuts = {1.5, 9}, .junk = {}}, true, {}, 0.5, 2);
  EXPECT_EQ(found.shots, std::vector{shot(1.5, 9)});
  EXPECT_EQ(found.left_out, (std::vector<JunkShot>{{shot(0, 1.5), Junk::none}, {shot(9, 10), Junk::none}}));
}

TEST(Shots, PassABlackFrame) {
  const ClipShots found = shots_of(3, {.seconds = 10, .cuts = {}, .junk = {{5, 5.08, Junk::black}}}, true, {}, 0.5, 2);
  EXPECT_EQ(found.shots, std::vector{shot(0, 10)});
  EXPECT_TRUE(found.left_out.empty());
}

TEST(Shots, OfJunkAloneAreNone) {
  const ClipShots found = shots_of(3, {.seconds = 10, .cuts = {}, .junk = {{0, 10, Junk::black}}}, true, {}, 0.5, 2);
  EXPECT_TRUE(found.shots.empty());
  EXPECT_EQ(found.left_out.size(), 1u);
}

TEST(Shots, EndAtCutsThatOnlyTheComparedFramesShow) {
  const ClipCuts cuts{.seconds = 30, .cuts = {10}, .junk = {}};
  const ClipShots found = shots_of(3, cuts, true, {10.4, 20}, 0.5, 2);
  EXPECT_EQ(found.shots, (std::vector{shot(0, 10), shot(10, 20), shot(20, 30)}));
}

TEST(SampledJunk, HasItsKindAndTimes) {
  const MadeScene a(1, 20);
  ClipSignature clip = made_original({{.scene = &a, .seconds = 8}}, 5);
  for (std::size_t i = 4; i < 8; ++i) {
    clip.frames[i].junk = Junk::flat;
    clip.frames[i].features.clear();
  }
  EXPECT_EQ(sampled_junk(frames_of(clip, 2)), (std::vector<JunkRun>{{2, 4, Junk::flat}}));
}

}  // namespace
}  // namespace octavo
