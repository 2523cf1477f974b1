#include <gtest/gtest.h>

#include <array>

#include "octavo/error.h"
#include "octavo/video/takes.h"
#include "video/signature/made_clips.h"

namespace octavo {
namespace {

const TakeOptions by_matches{.measure = AffinityMeasure::matches};  // signatures have no VLADs

// Two scenes, of which the first has three takes in two clips.
class TakesOfScenes : public testing::Test {
 protected:
  TakesOfScenes() {
    // Each take has noise of its own (the seed), another begin and another zoom.
    first = made_clip({{.scene = &kitchen, .seconds = 12, .scene_in = 2}, {.scene = &street, .seconds = 8}}, 2, 1);
    second = made_clip({{.scene = &kitchen, .seconds = 8, .scene_in = 5, .copy = {.scale = 0.9, .tx = 20}},
                        {.scene = &harbour, .seconds = 9},
                        {.scene = &kitchen, .seconds = 10, .scene_in = 0, .copy = {.turn = 3, .tx = 15}}},
                       2, 2);
  }
  static std::vector<std::pair<std::size_t, double>> begins(const Scene& scene) {
    std::vector<std::pair<std::size_t, double>> list;
    for (const Take& take : scene.takes) list.emplace_back(take.shot.clip, take.shot.in);
    return list;
  }
  using Begins = std::vector<std::pair<std::size_t, double>>;

  MadeScene kitchen{1, 40}, street{2, 40}, harbour{3, 40};
  ClipSignature first, second;
};

TEST_F(TakesOfScenes, AreFoundInAllClips) {
  TakeFinder finder(by_matches);
  finder.add(first);
  finder.add(second);
  const TakeList list = finder.find();
  ASSERT_EQ(list.scenes.size(), 3u);
  EXPECT_EQ(begins(list.scenes[0]), (Begins{{0, 0}, {1, 0}, {1, 17}}));
  EXPECT_EQ(begins(list.scenes[1]), (Begins{{0, 12}}));
  EXPECT_EQ(begins(list.scenes[2]), (Begins{{1, 8}}));
  EXPECT_TRUE(list.left_out.empty());
  EXPECT_EQ(finder.find(), list);

  const Scene& scene = list.scenes[0];
  ASSERT_EQ(scene.reference, 0u);
  EXPECT_EQ(scene.takes[0].offset, 0);
  EXPECT_TRUE(scene.takes[0].alignment.empty());
  EXPECT_NEAR(scene.takes[1].offset.value(), 3, 0.26);
  EXPECT_NEAR(scene.takes[2].offset.value(), -2, 0.26);
  for (const Take& take : scene.takes) {
    EXPECT_GT(take.score, 0.5);
    EXPECT_GE(take.key, take.shot.in);
    EXPECT_LT(take.key, take.shot.out);
    EXPECT_FALSE(take.shot.exact);
  }
  for (const TakePair& pair : scene.takes[1].alignment) EXPECT_NEAR(pair.reference - pair.take, 3, 0.51);
  EXPECT_EQ(list.scenes[1].takes[0].score, 0);
}

TEST_F(TakesOfScenes, KeepTheirScenesInAnotherOrderOfClips) {
  TakeFinder finder(by_matches);
  finder.add(second);
  finder.add(first);
  const TakeList list = finder.find();
  ASSERT_EQ(list.scenes.size(), 3u);
  EXPECT_EQ(begins(list.scenes[0]), (Begins{{0, 0}, {0, 17}, {1, 0}}));
}

TEST_F(TakesOfScenes, OfNothingAreNone) {
  EXPECT_EQ(TakeFinder().find(), TakeList());
  TakeFinder finder(by_matches);
  finder.add(ClipSignature{});
  EXPECT_EQ(finder.find(), TakeList());
}

TEST_F(TakesOfScenes, LeaveJunkOut) {
  for (FrameSignature& frame : first.frames) {
    frame.junk = Junk::black;
    frame.features.clear();
  }
  TakeFinder finder(by_matches);
  finder.add(first);
  const TakeList list = finder.find();
  EXPECT_TRUE(list.scenes.empty());
  ASSERT_EQ(list.left_out.size(), 1u);
  EXPECT_EQ(list.left_out[0].junk, Junk::black);
  EXPECT_EQ(list.left_out[0].shot.out, 20);
}

TEST(TakeFinderTest, RefusesShotsThatAreTooLong) {
  ClipSignature still{.seconds = 3600};
  still.frames.push_back({.until = 3600, .width = 640, .height = 360, .features = {SignatureFeature{}}});
  TakeFinder finder({.measure = AffinityMeasure::matches, .fps = 10});
  finder.add(still);
  EXPECT_EQ(finder.find().scenes.size(), 1u);
  finder.add(still);
  try {
    (void)finder.find();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
    EXPECT_NE(std::string(error.what()).find("36000 and 36000 frames"), std::string::npos) << error.what();
  }
}

TEST(TakeFinderTest, RefusesWrongCalls) {
  EXPECT_THROW(TakeFinder({.fps = 0}), Error);
  EXPECT_THROW(TakeFinder({.min_share = 0}), Error);
  EXPECT_THROW(TakeFinder({.max_gap = -1}), Error);
  EXPECT_THROW(TakeFinder().add(ClipSignature{}), Error) << "a signature has no VLADs";
  EXPECT_THROW(TakeFinder().add(std::filesystem::path("none.avi")), Error);
  const std::array<std::filesystem::path, 1> files{"none.avi"};
  EXPECT_THROW(draw_takes({}, files), Error) << "there is nothing to draw";
}

}  // namespace
}  // namespace octavo
