// Inliers among matches that agree, and among matches that do not.

#include "multiview/align/supported_inliers.h"

#include <gtest/gtest.h>

#include <numeric>

namespace octavo {
namespace {

void add(Alignment& all, double x, double y, bool is_inlier) {
  const auto index = static_cast<std::int32_t>(all.matches.size());
  all.a.keypoints.push_back({.x = static_cast<float>(x), .y = static_cast<float>(y), .scale = 2});
  all.matches.push_back({index, index, 0});
  all.homography.inliers.push_back(is_inlier ? 1 : 0);
}

int count(const std::vector<std::uint8_t>& marks) { return std::accumulate(marks.begin(), marks.end(), 0); }

TEST(SupportedInliers, AreThoseAmongMatchesThatAgree) {
  Alignment all;
  for (int i = 0; i < 60; ++i) add(all, 100 + 10 * (i % 10), 100 + 10 * (i / 10), i % 5 != 0);
  for (int i = 0; i < 60; ++i) add(all, 400 + 10 * (i % 10), 300 + 10 * (i / 10), i % 5 == 0);
  const std::vector<std::uint8_t> marks = supported_inliers(all, {640, 480});
  ASSERT_EQ(marks.size(), all.matches.size());
  EXPECT_EQ(count(marks), 48);
  for (std::size_t i = 0; i < 60; ++i) EXPECT_EQ(marks[i], all.homography.inliers[i]) << i;
}

TEST(SupportedInliers, AFewThatNothingContradictsAreKept) {
  Alignment all;
  for (int i = 0; i < 8; ++i) add(all, 80 * i, 60 * i, true);
  EXPECT_EQ(count(supported_inliers(all, {640, 480})), 8);
  EXPECT_TRUE(supported_inliers({}, {640, 480}).empty());
}

}  // namespace
}  // namespace octavo
