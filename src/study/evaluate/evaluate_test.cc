// The homography of a pair, on points that are moved. What is counted has its tests beside it (scores/).

#include "study/evaluate/evaluate.h"

#include <gtest/gtest.h>

#include <limits>

namespace octavo {
namespace {

Features features_at(const std::vector<Point>& points) {
  Features features;
  for (const Point& p : points) {
    features.keypoints.push_back({.x = static_cast<float>(p.x), .y = static_cast<float>(p.y), .scale = 2});
    features.descriptors.insert(features.descriptors.end(), descriptor_length, 0);
  }
  return features;
}

TrueHomography truth_moved_by(double dx, double dy) { return {{1, 0, dx, 0, 1, dy, 0, 0, 1}}; }

constexpr ImageSize hundred{100, 100};

TEST(ScoredPair, TheHomographyOfRightMatchesIsRight) {
  std::vector<Point> points, moved;
  std::vector<Match> matches;
  for (int i = 0; i < 40; ++i) {
    const int column = i % 8, row = i / 8;
    points.push_back({5.0 + 7 * column, 5.0 + 11 * row});
    moved.push_back({points.back().x + 10, points.back().y + 5});
    matches.push_back({i, i, 0});
  }
  const PairScores scores =
      score_pair(features_at(points), features_at(moved), matches, matches, truth_moved_by(10, 5), hundred, hundred);
  ASSERT_TRUE(scores.homography);
  EXPECT_LT(scores.corner_error, 1e-3);
  EXPECT_EQ(scores.correct[0], 40);
}

TEST(ScoredPair, HasNoHomographyOfTwoMatches) {
  const Features a = at({{20, 20}, {50, 50}}), b = at({{30, 20}, {60, 50}});
  const std::vector<Match> matches{{0, 0, 1}, {1, 1, 1}};
  const PairScores scores = score_pair(a, b, matches, matches, truth_moved_by(10, 0), hundred, hundred);
  EXPECT_EQ(scores.correct[0], 2);
  EXPECT_FALSE(scores.homography);
  EXPECT_EQ(scores.corner_error, std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace octavo
