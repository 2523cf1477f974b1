#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/video/video_tracks.h"

namespace octavo {
namespace {

constexpr ImageSize frame_size{400, 300};

// Points with descriptors that are far from each other.
Features points(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  const auto number = [&](unsigned below) { return static_cast<unsigned>(random()) % below; };
  Features made;
  for (std::size_t i = 0; i < count; ++i) {
    Keypoint k;
    k.x = 50 + static_cast<float>(number(300));
    k.y = 50 + static_cast<float>(number(200));
    k.scale = 2;
    made.keypoints.push_back(k);
    for (std::size_t d = 0; d < descriptor_length; ++d) {
      made.descriptors.push_back(static_cast<std::uint8_t>(number(4) == 0 ? 50 + number(80) : 0));
    }
  }
  return made;
}

Features moved(Features features, float dx, float dy) {
  for (Keypoint& k : features.keypoints) k.x += dx, k.y += dy;
  return features;
}

TEST(Tracks, FollowAKnownShift) {
  const Features first = points(60, 1);
  KeypointTracker tracker({.tail = 2});
  for (int frame = 0; frame < 6; ++frame) {
    const auto dx = static_cast<float>(3 * frame), dy = static_cast<float>(-2 * frame);
    const std::span<const Track> tracks = tracker.follow(moved(first, dx, dy), frame_size);
    ASSERT_EQ(tracks.size(), 60u);
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      EXPECT_EQ(tracks[i].id, static_cast<std::int64_t>(i));
      EXPECT_EQ(tracks[i].frames, frame + 1);
      ASSERT_EQ(tracks[i].way.size(), static_cast<std::size_t>(std::min(frame, 2) + 1));
      EXPECT_EQ(tracks[i].way.back(), (TrackPlace{first.keypoints[i].x + dx, first.keypoints[i].y + dy}));
    }
  }
  EXPECT_EQ(tracker.statistics(), (TrackStatistics{.tracks = 60, .longest = 6, .steps = 300, .possible_steps = 300}));
  EXPECT_EQ(tracker.statistics().mean_length(), 6);
}

TEST(Tracks, EndWhereThePointMovesTooFar) {
  const Features first = points(40, 2);
  for (const auto& [dx, followed] : {std::pair{19.9f, 40u}, std::pair{20.1f, 0u}}) {
    KeypointTracker tracker({.max_motion = 0.05});  // 20 pixels of 400
    tracker.follow(first, frame_size);
    std::size_t count = 0;
    for (const Track& track : tracker.follow(moved(first, dx, 0), frame_size)) count += track.frames == 2 ? 1 : 0;
    EXPECT_EQ(count, followed) << dx;
  }
}

TEST(Tracks, DoNotJoinOtherPoints) {
  KeypointTracker tracker;
  tracker.follow(points(200, 3), frame_size);
  for (const Track& track : tracker.follow(points(200, 4), frame_size)) {
    EXPECT_EQ(track.frames, 1);
    EXPECT_GE(track.id, 200);
  }
  EXPECT_EQ(tracker.statistics().tracks, 0);
  EXPECT_EQ(tracker.statistics().mean_length(), 0);
}

TEST(Tracks, EndWhereAPointIsMissing) {
  const Features both = points(2, 5);
  Features one = both;
  one.keypoints.pop_back();
  one.descriptors.resize(descriptor_length);
  KeypointTracker tracker;
  tracker.follow(both, frame_size);
  tracker.follow(one, frame_size);
  const std::span<const Track> tracks = tracker.follow(both, frame_size);
  EXPECT_EQ(tracks[0].id, 0);
  EXPECT_EQ(tracks[0].frames, 3);
  EXPECT_EQ(tracks[1].id, 2);
  EXPECT_EQ(tracks[1].frames, 1);
}

TEST(Tracks, BeginAgainWhereTheSizeChanges) {
  const Features features = points(10, 6);
  KeypointTracker tracker;
  tracker.follow(features, frame_size);
  for (const Track& track : tracker.follow(features, {800, 600})) EXPECT_EQ(track.frames, 1);
}

TEST(Tracks, TakeFramesWithoutPoints) {
  const Features features = points(10, 7);
  KeypointTracker tracker;
  EXPECT_TRUE(tracker.follow({}, frame_size).empty());
  EXPECT_EQ(tracker.follow(features, frame_size).size(), 10u);
  EXPECT_TRUE(tracker.follow({}, frame_size).empty());
}

TEST(Tracks, NeedDescriptorsAndRightOptions) {
  Features bare = points(3, 8);
  bare.descriptors.clear();
  KeypointTracker tracker;
  EXPECT_THROW(tracker.follow(bare, frame_size), Error);
  for (const TrackOptions& wrong : {TrackOptions{.ratio = 0}, TrackOptions{.max_motion = 0}, TrackOptions{.tail = -1},
                                    TrackOptions{.max_distance = -1}}) {
    EXPECT_THROW(KeypointTracker{wrong}, Error);
  }
}

// Pixels whose colour is not grey.
int coloured(const Image& image) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y) {
    const auto* const row = reinterpret_cast<const std::uint8_t*>(image.row(y));
    for (int x = 0; x < image.width(); ++x) count += row[3 * x] != row[3 * x + 1] ? 1 : 0;
  }
  return count;
}

TEST(Tracks, AreDrawnInTheirColours) {
  Image black(400, 300, 1, PixelType::u8);
  for (int y = 0; y < 300; ++y) std::fill_n(black.row(y), 400, std::byte{0});
  const Features first = points(1, 9);
  KeypointTracker tracker;
  const auto drawn = [&](const Features& features) {
    return draw_tracks(black.view(), features.keypoints, tracker.follow(features, frame_size));
  };
  const auto colour_at = [](const Image& image, const Keypoint& k) {
    const auto* const pixel =
        reinterpret_cast<const std::uint8_t*>(image.row(static_cast<int>(k.y))) + 3 * static_cast<int>(k.x);
    return 1.0 * pixel[1] / pixel[0];  // of the red of the first track; strokes fade at their edges
  };
  EXPECT_EQ(coloured(drawn(first)), 0) << "a new point is white";
  const Features second = moved(first, 15, 0), third = moved(first, 30, 0);
  const Image two = drawn(second), three = drawn(third);
  EXPECT_GT(coloured(two), 15);
  EXPECT_GT(coloured(three), coloured(two)) << "the tail grows";
  EXPECT_NEAR(colour_at(two, second.keypoints[0]), colour_at(three, third.keypoints[0]), 0.02);
  const Features on_tail = moved(first, 7, 0);
  EXPECT_NEAR(colour_at(three, on_tail.keypoints[0]), colour_at(three, third.keypoints[0]), 0.02) << "so has the tail";
}

}  // namespace
}  // namespace octavo
