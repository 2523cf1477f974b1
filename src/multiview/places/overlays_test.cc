#include "multiview/places/overlays.h"

#include <gtest/gtest.h>

#include <array>

#include "multiview/places/made_frames.h"

namespace octavo::places {
namespace {

// Two frames of 200 keypoints of a scene, which moves by so many pixels, under an overlay of 56.
struct OverlaidFrames {
  explicit OverlaidFrames(double shift, std::size_t scene = 200) {
    for (const Point& point : scattered(scene, 1, 40)) {
      add_keypoint(a, point.x, point.y, number);
      add_keypoint(b, point.x + shift, point.y, number++);
    }
    for (const Point& point : made_overlay()) {
      add_keypoint(a, point.x, point.y, number);
      add_keypoint(b, point.x, point.y, number++);
    }
  }
  [[nodiscard]] std::size_t kept() const {
    return without_overlays({a, made_size}, {b, made_size}, all_matches(a)).size();
  }

  std::uint32_t number = 0;
  Features a, b;
};

TEST(Overlays, DoNotCountBeforeAnotherScene) {
  const OverlaidFrames moved(60);
  EXPECT_LE(moved.kept(), 200u);
  EXPECT_GE(moved.kept(), 160u);  // those beside the overlay go with it
}

TEST(Overlays, CountWhereTheCameraStands) {
  const OverlaidFrames still(0);
  EXPECT_EQ(still.kept(), 256u);
}

TEST(Overlays, InTheMiddleDoNotCountEither) {
  Features a, b;
  for (int i = 0; i < 60; ++i) {
    add_keypoint(a, 170 + 5 * i, 230 + 5 * (i % 5), static_cast<std::uint32_t>(i));
    add_keypoint(b, 170 + 5 * i, 230 + 5 * (i % 5), static_cast<std::uint32_t>(i));
  }
  const std::vector<Match> matches = all_matches(a);
  for (const Point& point : scattered(300, 3)) add_keypoint(a, point.x, point.y, 1000);
  for (const Point& point : scattered(300, 4)) add_keypoint(b, point.x, point.y, 1001);
  EXPECT_TRUE(without_overlays({a, made_size}, {b, made_size}, matches).empty());
}

TEST(Overlays, AreFoundInFramesOfOtherSizes) {
  OverlaidFrames moved(60);
  for (Keypoint& keypoint : moved.b.keypoints) {
    keypoint.x = keypoint.x / 2 - 0.25f;
    keypoint.y = keypoint.y / 2 - 0.25f;
    keypoint.scale /= 2;
  }
  const std::size_t kept = without_overlays({moved.a, made_size}, {moved.b, {320, 240}}, all_matches(moved.a)).size();
  EXPECT_EQ(kept, OverlaidFrames(60).kept());
}

TEST(Overlays, AreTakenOutOfTheFramesOfAClip) {
  OverlaidFrames moved(60);
  const std::array<Features*, 2> frames{&moved.a, &moved.b};
  take_out_overlays(frames, made_size);
  for (const Features* frame : frames) {
    EXPECT_LE(frame->size(), 200u);
    EXPECT_GE(frame->size(), 150u);
    EXPECT_EQ(frame->descriptors.size(), frame->size() * descriptor_length);
    for (const Keypoint& keypoint : frame->keypoints) {
      for (const Point& point : made_overlay()) EXPECT_FALSE(keypoint.x == point.x && keypoint.y == point.y);
    }
  }
}

TEST(Overlays, OfAStandingCameraAndOfOneFrameCannotBeTold) {
  OverlaidFrames still(0);
  const std::array<Features*, 2> frames{&still.a, &still.b};
  take_out_overlays(frames, made_size);
  EXPECT_EQ(still.a.size(), 256u);
  take_out_overlays(std::span(frames).first(1), made_size);
  EXPECT_EQ(still.a.size(), 256u);
  take_out_overlays({}, made_size);
}

}  // namespace
}  // namespace octavo::places
