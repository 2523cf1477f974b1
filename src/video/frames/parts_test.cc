#include "video/frames/parts.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace octavo::video {
namespace {

TEST(Parts, ThatTouchOrOverlapAreOne) {
  const std::vector<Part> parts = merged({{8, 9}, {1, 3}, {2, 4}, {4, 5}, {6, 7}});
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].from, 1);
  EXPECT_EQ(parts[0].to, 5);
  EXPECT_EQ(parts[1].from, 6);
  EXPECT_EQ(parts[2].to, 9);
}

// Which of frames at these ticks are taken, in the order in which they are.
std::vector<std::int64_t> taken(const std::vector<Part>& parts, const std::vector<std::int64_t>& frames) {
  PartChoice choice(parts, {1, 10});
  std::vector<std::int64_t> result;
  for (std::size_t i = 0; i < frames.size() && !choice.is_done(); ++i) {
    const PartChoice::Taken one = choice.take(frames[i]);
    if (one.before) result.push_back(frames[i - 1]);
    if (one.this_one) result.push_back(frames[i]);
  }
  if (choice.takes_last()) result.push_back(frames.back());
  return result;
}

TEST(Parts, HaveTheFrameBeforeThemAndTheOneAfter) {
  // Times are from the first frame on, at tick 100, and 10 ticks are a second. A tick more on either side belongs to
  // a part.
  EXPECT_EQ(taken({{2, 3}}, {100, 105, 110, 115, 120, 125, 130, 135, 140}),
            (std::vector<std::int64_t>{100, 115, 120, 125, 130, 135}));
  EXPECT_EQ(taken({{1.7, 1.8}}, {100, 110, 120, 130}), (std::vector<std::int64_t>{100, 110, 120}));
  EXPECT_EQ(taken({{0, 0.5}, {2, 2}}, {100, 105, 110, 115, 120, 125}),
            (std::vector<std::int64_t>{100, 105, 110, 115, 120, 125}));
  EXPECT_EQ(taken({{-5, -4}}, {100, 110}), (std::vector<std::int64_t>{100}));
  EXPECT_EQ(taken({{50, 60}}, {100, 110, 120}), (std::vector<std::int64_t>{100, 120}));
  EXPECT_EQ(taken({{2.3, 9}}, {100, 110, 120}), (std::vector<std::int64_t>{100, 120}));
  EXPECT_EQ(taken({{2, 9}}, {100, 110, 120}), (std::vector<std::int64_t>{100, 110, 120}));
}

TEST(Parts, AreFarOrNear) {
  PartChoice choice({{1, 1}, {9, 9}}, {1, 10});
  choice.take(100);
  EXPECT_FALSE(choice.far_begin());  // less than two seconds
  choice.take(115);
  EXPECT_EQ(choice.far_begin(), 189);
  choice.take(170);
  EXPECT_FALSE(choice.far_begin());
  EXPECT_FALSE(choice.is_done());
  choice.take(195);
  EXPECT_TRUE(choice.is_done());
  EXPECT_FALSE(choice.far_begin());
}

}  // namespace
}  // namespace octavo::video
