#include "video/archive/hits_near_keys.h"

#include <gtest/gtest.h>

#include <cmath>

#include "video/archive/key_frames.h"
#include "video/archive/list_query.h"
#include "video/signature/made_clips.h"

namespace octavo {
namespace {

class HitsNearKeysTest : public testing::Test {
 protected:
  MadeScene scene{4, 30};
  ClipSignature clip = made_original({{.scene = &scene, .seconds = 30}}, 3);
  ClipSignature query = made_clip({{.scene = &scene, .seconds = 6, .scene_in = 10}}, 5, 9);
};

TEST_F(HitsNearKeysTest, AskingFramesAreEverySecondOfFive) {
  const std::vector<std::int32_t> asking = asking_frames(query);
  ASSERT_EQ(asking.size(), 15u);
  for (std::size_t i = 0; i < asking.size(); ++i) EXPECT_EQ(asking[i], 2 * static_cast<int>(i));
  EXPECT_EQ(asking_frames(clip).size(), clip.frames.size()) << "two a second all ask";
}

// The key frame at 12 s is 2 s after the query's begin.
TEST_F(HitsNearKeysTest, AreAroundAHitThatMatches) {
  const KeyHit right{.query = 10, .key = 6, .score = 100};
  const std::vector<FrameHit> hits = hits_near_keys(query, clip, std::span(&right, 1));
  ASSERT_GT(hits.size(), 10u);
  int on_line = 0;
  for (const FrameHit& hit : hits) {
    const double asked = query.frames[hit.query].seconds, time = clip.frames[hit.other].seconds;
    EXPECT_LE(std::abs(asked - 2), 2.01);
    EXPECT_LT(std::abs(time - 12), 2);
    EXPECT_GT(hit.score, 0);
    on_line += std::abs(asked + 10 - time) < 0.3;
  }
  EXPECT_GT(on_line, 5);
}

TEST_F(HitsNearKeysTest, AreNoneAroundAFalseHit) {
  const MadeScene unknown(8, 30);
  const ClipSignature other = made_original({{.scene = &unknown, .seconds = 30}}, 3);
  std::vector<KeyHit> hits;
  for (std::uint32_t key = 0; key < key_frames(other).size(); ++key) hits.push_back({.query = 10, .key = key});
  EXPECT_TRUE(hits_near_keys(query, other, hits).empty());
  EXPECT_TRUE(hits_near_keys(query, clip, {}).empty());
}

}  // namespace
}  // namespace octavo
