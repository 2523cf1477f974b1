#include "multiview/places/same_place.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "multiview/places/made_frames.h"

namespace octavo::places {
namespace {

using Partner = std::function<Point(const Point&, std::size_t)>;

// Two frames: the partners of these points, and so many wrong matches.
PlaceEvidence judged(const std::vector<Point>& points, const Partner& partner, std::size_t wrong) {
  Features a, b;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point there = partner(points[i], i);
    add_keypoint(a, points[i].x, points[i].y, static_cast<std::uint32_t>(i));
    add_keypoint(b, there.x, there.y, static_cast<std::uint32_t>(i));
  }
  const std::vector<Point> some = scattered(wrong, 11), others = scattered(wrong, 12);
  for (std::size_t i = 0; i < wrong; ++i) {
    add_keypoint(a, some[i].x, some[i].y, 1000);
    add_keypoint(b, others[i].x, others[i].y, 1001);
  }
  return same_place({a, made_size}, {b, made_size}, all_matches(a));
}

Point on_plane(const Point& p, std::size_t) {
  const double w = 1 + 0.0002 * p.x;
  return {(0.9 * p.x + 0.1 * p.y + 70) / w, (0.95 * p.y - 0.05 * p.x + 20) / w};
}

// Depths differ from point to point, and the camera moves to the side and forwards.
Point in_scene(const Point& p, std::size_t i) {
  const double depth = 3 + static_cast<double>(i % 17) / 3, forwards = 0.4, aside = 0.5, focal = 500;
  const double x = (p.x - 320) * depth / focal - aside, y = (p.y - 240) * depth / focal;
  return {320 + focal * x / (depth - forwards), 240 + focal * y / (depth - forwards)};
}

TEST(SamePlace, IsShownByAPlaneAndByAScene) {
  const PlaceEvidence plane = judged(scattered(60, 1), on_plane, 15);
  EXPECT_TRUE(plane.is_same);
  EXPECT_TRUE(plane.is_plane);
  EXPECT_GE(plane.inliers.size(), 58u);
  const PlaceEvidence scene = judged(scattered(60, 1), in_scene, 15);
  EXPECT_TRUE(scene.is_same);
  EXPECT_FALSE(scene.is_plane);
  EXPECT_GE(scene.inliers.size(), 58u);
}

TEST(SamePlace, IsSureWithTwiceAsManyInliers) {
  EXPECT_TRUE(judged(scattered(200, 1), in_scene, 20).is_sure);
  const PlaceEvidence less = judged(scattered(30, 1), in_scene, 20);
  EXPECT_TRUE(less.is_same);
  EXPECT_FALSE(less.is_sure);
}

TEST(SamePlace, IsNotShownByChanceOrByFewMatches) {
  EXPECT_FALSE(judged({}, on_plane, 0).is_same);
  EXPECT_FALSE(judged({}, on_plane, 60).is_same);
  EXPECT_FALSE(judged(scattered(10, 1), on_plane, 0).is_same);
  EXPECT_FALSE(judged(scattered(20, 1), on_plane, 60).is_same);
}

TEST(SamePlace, IsNotShownByASignThatIsElsewhere) {
  std::vector<Point> sign;
  for (int i = 0; i < 60; ++i) sign.push_back({300.0 + 3 * (i % 10), 200.0 + 3 * static_cast<double>(i / 10)});
  const auto elsewhere = [](const Point& p, std::size_t) { return Point{p.x - 150, p.y + 90}; };
  EXPECT_FALSE(judged(sign, elsewhere, 10).is_same);
}

// It is large, but the rest of both frames does not agree.
TEST(SamePlace, IsNotShownByAThingInTwoPlaces) {
  Features a, b;
  for (const Point& p : scattered(80, 9)) {
    const Point there = in_scene({250 + p.x / 5, 180 + p.y / 4}, a.size());
    add_keypoint(a, 250 + p.x / 5, 180 + p.y / 4, 0);
    add_keypoint(b, there.x - 60, there.y + 20, 0);
  }
  const std::vector<Match> matches = all_matches(a);
  EXPECT_TRUE(same_place({a, made_size}, {b, made_size}, matches).is_same);
  for (const Point& p : scattered(300, 5)) add_keypoint(a, p.x, p.y, 1);
  for (const Point& p : scattered(300, 6)) add_keypoint(b, p.x, p.y, 2);
  EXPECT_FALSE(same_place({a, made_size}, {b, made_size}, matches).is_same);
}

// Equal letters match each other, in a line that is elsewhere.
TEST(SamePlace, IsNotShownByLinesOfText) {
  std::vector<Point> letters, others = scattered(60, 8);
  for (const Point& point : scattered(60, 7)) letters.push_back({point.x, 400 + point.y / 25});
  const auto other = [&](const Point& p, std::size_t i) { return Point{others[i].x, p.y - 200}; };
  const PlaceEvidence evidence = judged(letters, other, 10);
  EXPECT_GE(evidence.inliers.size(), 55u);
  EXPECT_FALSE(evidence.is_same);
}

TEST(SamePlace, IsNotShownByOverlaysBetweenOtherBars) {
  Features a, b;
  std::uint32_t number = 10;
  for (const Point& p : made_overlay()) {
    add_keypoint(a, p.x, p.y, number);
    add_keypoint(b, p.x, 40 + p.y * 400 / 480, number++);
  }
  const std::vector<Match> matches = all_matches(a);
  for (const Point& p : scattered(200, 5)) add_keypoint(a, p.x, p.y, 1);
  for (const Point& p : scattered(200, 6)) add_keypoint(b, p.x, p.y, 2);
  const PlaceEvidence evidence = same_place({a, made_size}, {b, made_size}, matches);
  EXPECT_GE(evidence.inliers.size(), 40u);
  EXPECT_FALSE(evidence.is_same);
}

TEST(SamePlace, CountsMatchesBetweenTheSamePlacesOnce) {
  std::vector<Point> points = scattered(30, 1);
  const std::vector<Point> once = points;
  points.insert(points.end(), once.begin(), once.end());
  const PlaceEvidence evidence = judged(points, on_plane, 0);
  EXPECT_EQ(evidence.matches, 30u);
}

}  // namespace
}  // namespace octavo::places
