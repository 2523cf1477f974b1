#include "video/signature/frame_similarity.h"

#include <gtest/gtest.h>

namespace octavo {
namespace {

const std::vector<FramePoint> places{{10, 20}, {600, 30}, {50, 340}, {500, 300}, {320, 180}};

std::vector<FramePoint> all_mapped(const Similarity& s) {
  std::vector<FramePoint> to;
  for (const FramePoint& p : places) to.push_back(mapped(s, p));
  return to;
}

void expect_same(const Similarity& s, const Similarity& t) {
  EXPECT_NEAR(s.a, t.a, 1e-6);
  EXPECT_NEAR(s.b, t.b, 1e-6);
  EXPECT_NEAR(s.tx, t.tx, 1e-4);
  EXPECT_NEAR(s.ty, t.ty, 1e-4);
  EXPECT_NEAR(s.stretch, t.stretch, 1e-6);
}

TEST(FrameSimilarity, MapsByTheFormula) {
  const Similarity s{0.6, 0.2, 7, -3, 1.5};
  const FramePoint p = mapped(s, {10, 100});
  EXPECT_DOUBLE_EQ(p.x, 0.6 * 15 - 0.2 * 100 + 7);
  EXPECT_DOUBLE_EQ(p.y, 0.2 * 15 + 0.6 * 100 - 3);
  const FramePoint back = unmapped(s, p);
  EXPECT_NEAR(back.x, 10, 1e-9);
  EXPECT_NEAR(back.y, 100, 1e-9);
  EXPECT_DOUBLE_EQ(growth_of_area(s), (0.36 + 0.04) * 1.5);
}

TEST(FrameSimilarity, IsFittedWithItsStretch) {
  const Similarity s{0.6, 0.2, 7, -3, 1.5};
  expect_same(*fitted(places, all_mapped(s), 1.5), s);
  Similarity rough{1, 0, 0, 0, 1.3};
  for (int round = 0; round < 30; ++round) rough = *refitted(rough, places, all_mapped(s), true);
  expect_same(rough, s);
}

TEST(FrameSimilarity, StaysWithoutStretch) {
  const Similarity s{0.6, 0.2, 7, -3, 1.5};
  EXPECT_EQ(refitted({}, places, all_mapped(s), false)->stretch, 1);
}

TEST(FrameSimilarity, IsNotFittedToPointsThatGiveNone) {
  const std::vector<FramePoint> line{{1, 5}, {2, 5}, {3, 5}}, point{{1, 5}, {1, 5}};
  EXPECT_FALSE(refitted({.stretch = 1.3}, line, line, true)) << "the height is unknown";
  EXPECT_TRUE(refitted({}, line, line, false));
  EXPECT_FALSE(fitted(point, point));
  const std::vector<FramePoint> wide{{0, 0}, {300, 0}, {0, 100}}, narrow{{0, 0}, {100, 0}, {0, 100}};
  EXPECT_FALSE(refitted({.stretch = 1.3}, narrow, wide, true)) << "three times as wide";
}

}  // namespace
}  // namespace octavo
