#include "video/affinity/clip_frames.h"

#include <gtest/gtest.h>

#include "video/signature/made_clips.h"

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

TEST(ClipFrames, OfASignatureWhoseTimesLeapAreFew) {
  ClipSignature clip{.seconds = 1e12};
  clip.frames.push_back({.index = 0, .seconds = 0, .until = 1});
  clip.frames.push_back({.index = 25, .seconds = 1e9, .until = 1e9 + 1});
  clip.frames.push_back({.index = 50, .seconds = 2e9, .until = 1e12});  // as older files have it
  clip.frames.push_back({.index = 51, .seconds = 1e300, .until = 1e301});
  const ClipFrames frames = frames_of(clip, 2);
  ASSERT_EQ(frames.seconds.size(), 4 + 2 * 3600u);
  EXPECT_EQ(std::vector(frames.seconds.begin(), frames.seconds.begin() + 5),
            (std::vector<double>{0, 0.5, 1e9, 1e9 + 0.5, 2e9}));
}

}  // namespace
}  // namespace octavo
