#include "affinity/clip_frames.h"

#include <gtest/gtest.h>

#include "signature/made_clips.h"

namespace octavo {
namespace {

TEST(ClipFrames, ChangeWhereNothingIsSimilar) {
  const MadeScene a(1, 20), b(2, 20);
  const ClipSignature clip = made_original({{.scene = &a, .seconds = 8}, {.scene = &b, .seconds = 8}}, 5);
  EXPECT_EQ(changes_of(frames_of(clip, 2), 0.1), std::vector{8.0});
}

TEST(ClipFrames, OfASignatureRepeatWhatLasts) {
  ClipSignature clip{.seconds = 3};
  clip.frames.push_back({.index = 0, .seconds = 0, .until = 2});
  clip.frames.push_back({.index = 50, .seconds = 2, .until = 3});
  const ClipFrames frames = frames_of(clip, 2);
  EXPECT_EQ(frames.seconds, (std::vector<double>{0, 0.5, 1, 1.5, 2, 2.5}));
  EXPECT_EQ(frames.signatures[3].index, 0);
  EXPECT_EQ(frames.signatures[4].index, 50);
}

}  // namespace
}  // namespace octavo
