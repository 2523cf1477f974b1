#include "video/archive/key_frames.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "video/signature/made_signature.h"

namespace octavo {
namespace {

using Keys = std::vector<std::uint32_t>;

TEST(KeyFrames, AreOneInTwoSeconds) {
  EXPECT_EQ(key_frames(made_signature(1, 9, 20)), (Keys{0, 4, 8}));
  EXPECT_TRUE(key_frames({}).empty());
}

TEST(KeyFrames, HaveTheMostFeatures) {
  ClipSignature clip = made_signature(1, 8, 20);
  clip.frames[2].features.resize(21);
  clip.frames[4].features.clear();
  EXPECT_EQ(key_frames(clip), (Keys{2, 5}));
  for (std::size_t i = 4; i < 8; ++i) clip.frames[i].features.clear();
  EXPECT_EQ(key_frames(clip), (Keys{2})) << "2 seconds without features have no key frame";
}

TEST(KeyFrames, ListAStillFrameOnce) {
  ClipSignature clip = made_signature(1, 3, 20);
  clip.frames[1].until = 30;
  clip.frames[2].seconds = 30;
  clip.frames[2].until = 30.5;
  EXPECT_EQ(key_frames(clip), (Keys{1, 2}));
}

TEST(KeyFrames, AreAllThatStand) {
  ClipSignature clip = made_signature(1, 4, 20);
  for (std::size_t i = 0; i < 4; ++i) {
    clip.frames[i].seconds = 0.9 * static_cast<double>(i);
    clip.frames[i].until = 0.9 * static_cast<double>(i + 1);
  }
  EXPECT_EQ(key_frames(clip), (Keys{0, 1, 2, 3}));
  clip.frames[1].until = clip.frames[1].seconds + 0.5;
  EXPECT_EQ(key_frames(clip), (Keys{0, 2, 3})) << "one that stands is better than one that does not";
}

TEST(KeyFrames, ListAllOfFewFeatures) {
  const FrameSignature frame = made_signature(1, 1, 30).frames[0];
  const std::vector<ListedFeature> listed = listed_features(frame);
  ASSERT_EQ(listed.size(), 30u);
  for (std::size_t i = 0; i < listed.size(); ++i) {
    EXPECT_EQ(listed[i].word, frame.features[i].word);
    EXPECT_EQ(listed[i].code, frame.features[i].code[0]);
    EXPECT_EQ(listed[i].scale, frame.features[i].scale);
    EXPECT_EQ(listed[i].orientation, frame.features[i].orientation);
  }
}

// 16 cells of 10 coarse and 6 fine features each; in one cell most are gone, and the others take their places.
TEST(KeyFrames, ListTheCoarsestFeaturesOfAllParts) {
  FrameSignature frame{.width = 640, .height = 360};
  for (int cell = 0; cell < 16; ++cell) {
    for (int i = 0; i < 16; ++i) {
      SignatureFeature feature;
      feature.x = static_cast<std::uint16_t>(64 * (160 * (cell % 4) + 10 * i));
      feature.y = static_cast<std::uint16_t>(64 * (90 * (cell / 4) + 5 * i));
      feature.scale = static_cast<std::uint8_t>(i % 8 < 5 ? 60 : 30);
      feature.word = static_cast<std::uint16_t>(16 * cell + i);
      frame.features.push_back(feature);
    }
  }
  const auto is_coarse = [](const ListedFeature& one) { return one.scale == 60; };
  std::vector<ListedFeature> listed = listed_features(frame);
  EXPECT_EQ(listed.size(), 160u);
  EXPECT_TRUE(std::ranges::all_of(listed, is_coarse));
  std::erase_if(frame.features, [](const SignatureFeature& one) { return one.word < 12; });
  listed = listed_features(frame);
  EXPECT_EQ(listed.size(), 160u);
  EXPECT_TRUE(std::ranges::is_sorted(listed, {}, &ListedFeature::word)) << "in the order of the frame";
  EXPECT_EQ(std::ranges::count_if(listed, is_coarse), 150 + 1);
  std::set<int> cells;
  for (const ListedFeature& one : listed) cells.insert(one.word / 16);
  EXPECT_EQ(cells.size(), 16u);
  EXPECT_EQ(std::ranges::count_if(listed, [](const ListedFeature& one) { return one.word < 16; }), 4);
}

}  // namespace
}  // namespace octavo
