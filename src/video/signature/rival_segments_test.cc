// Segments that show the same moment, of made cells whose values move.

#include "video/signature/rival_segments.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

#include "video/signature/made_cells.h"

namespace octavo {
namespace {

CopySegment segment(double query_in, double query_out, double other_in, int inliers) {
  CopySegment one;
  one.query_in = query_in, one.query_out = query_out;
  one.other_in = other_in, one.other_out = other_in + query_out - query_in;
  one.inliers = inliers;
  return one;
}

TEST(SharedMoments, AreTheMiddlesOfWhatABetterSegmentShowsToo) {
  // Both show 10 to 14 s of the other clip.
  const std::vector<CopySegment> both{segment(0, 8, 10, 900), segment(20, 24, 10, 300)};
  const auto moments = shared_moments(both);
  ASSERT_EQ(moments.size(), 1);
  EXPECT_EQ(moments[0].segment, 1);
  EXPECT_EQ(moments[0].better, 0);
  EXPECT_EQ(moments[0].of_segment.query, 22);
  EXPECT_EQ(moments[0].of_better.query, 2);
  EXPECT_EQ(moments[0].of_segment.other, 12);
  EXPECT_EQ(moments[0].of_better.other, 12);
}

TEST(SharedMoments, AreNoneWhereLessThanHalfIsShared) {
  const std::vector<CopySegment> one_after_the_other{segment(0, 8, 0, 900), segment(6, 14, 20, 300)};
  EXPECT_TRUE(shared_moments(one_after_the_other).empty());
}

TEST(SharedMoments, StillsHaveNone) {
  std::vector<CopySegment> both{segment(0, 8, 10, 900), segment(20, 24, 10, 300)};
  both[1].still = true;
  EXPECT_TRUE(shared_moments(both).empty());
}

// Three seconds of a clip that shows these moments, with so much noise. [grey value]
std::vector<FrameCells> frames(const std::function<double(double)>& shown_at, double noise = 0) {
  std::vector<FrameCells> all;
  for (int n = 0; n < 75; ++n) {
    const double begin = n / 25.0;
    std::vector<float> values = seen_at(shown_at(begin));
    for (std::size_t p = 0; p < values.size(); ++p)
      values[p] += static_cast<float>(noise * std::sin(static_cast<double>(p * (n + 5))));
    all.push_back({begin, begin + 0.04, values});
  }
  return all;
}

// Whether the segment whose query shows `query` is explained better by one that shows the same as the other clip.
bool is_explained(const std::vector<FrameCells>& query) {
  const std::vector<FrameCells> other = frames([](double t) { return t; });
  const std::vector<std::size_t> blocks = blocks_of_cells();
  const SegmentEnd::Times middle{1.2, 1.2};
  return is_explained_better({SegmentEnd(query, other, blocks, middle, 1, true), 1},
                             {SegmentEnd(other, other, blocks, middle, 1, true), 1});
}

TEST(ExplainedBetter, IsAnotherTimeOfTheSamePlace) {
  EXPECT_TRUE(is_explained(frames([](double t) { return 7.3 - 2 * t; })));
}

TEST(ExplainedBetter, IsWhatCorrelatesFarLess) {
  EXPECT_TRUE(is_explained(frames([](double t) { return t; }, 60)));
}

TEST(ExplainedBetter, IsNoSecondShowing) {
  EXPECT_FALSE(is_explained(frames([](double t) { return t; })));
  EXPECT_FALSE(is_explained(frames([](double t) { return t; }, 4)));
}

}  // namespace
}  // namespace octavo
