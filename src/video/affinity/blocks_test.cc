#include "video/affinity/blocks.h"

#include <gtest/gtest.h>

#include "video/signature/made_clips.h"

namespace octavo {
namespace {

// Features that stand still: most pairs of frames of one scene are similar.
MadePart still(const MadeScene& scene, double seconds) { return {.scene = &scene, .seconds = seconds, .speed = 0.01}; }

std::vector<AffinityBlock> blocks(const ClipSignature& a, const ClipSignature& b) {
  const ClipFrames of_a = frames_of(a, 2), of_b = frames_of(b, 2);
  std::vector<std::uint8_t> is_similar;
  for (std::size_t i = 0; i < of_a.seconds.size(); ++i) {
    for (std::size_t j = 0; j < of_b.seconds.size(); ++j) {
      is_similar.push_back(affinity_of(of_a, i, of_b, j).share > 0 ? 1 : 0);
    }
  }
  return blocks_of(of_a, of_b, is_similar);
}

TEST(AffinityBlocks, AreScenesThatShowTheSame) {
  const MadeScene kitchen(1, 20), street(2, 20), harbour(3, 20);
  const ClipSignature a = made_original({still(kitchen, 5), still(street, 4)}, 1);
  const ClipSignature b = made_original({still(harbour, 3), still(kitchen, 6)}, 2);
  const std::vector<AffinityBlock> found = blocks(a, b);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].a_in, 0);
  EXPECT_EQ(found[0].a_out, 5);
  EXPECT_EQ(found[0].b_in, 3);
  EXPECT_EQ(found[0].b_out, 9);
  EXPECT_GT(found[0].share, 0.9);
}

TEST(AffinityBlocks, OfAClipWithItselfAreItsStillScenes) {
  const MadeScene kitchen(1, 20), street(2, 20);
  const ClipSignature a = made_original({still(kitchen, 5), still(street, 4), still(kitchen, 4)}, 1);
  const std::vector<AffinityBlock> found = blocks(a, a);
  ASSERT_EQ(found.size(), 5u) << "each scene with itself, and both takes of the kitchen with each other";
  EXPECT_EQ(found[1].a_in, 0);
  EXPECT_EQ(found[1].b_in, 9);
}

TEST(AffinityBlocks, AreNotWhereTheSceneMovesOn) {
  const MadeScene walk(4, 60, 150, 2);
  const ClipSignature a = made_original({{.scene = &walk, .seconds = 40}}, 1);
  EXPECT_TRUE(blocks(a, a).empty());
}

TEST(AffinityBlocks, OfNothingAreNone) { EXPECT_TRUE(blocks({}, {}).empty()); }

}  // namespace
}  // namespace octavo
