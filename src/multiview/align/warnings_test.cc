// Each reason to doubt a homography, from pairs that give this reason, and no warning for planes and turning cameras.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "octavo/multiview/align.h"

namespace octavo {
namespace {

using Kind = AlignmentWarning::Kind;
constexpr ImageSize size{1000, 800};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double low, double high) { return low + (high - low) * static_cast<double>(engine_()) / 4294967296.0; }
  Point point() { return {uniform(0, 999), uniform(0, 799)}; }

 private:
  std::mt19937 engine_;
};

Point mapped(const std::array<double, 9>& h, const Point& p) {
  const double w = h[6] * p.x + h[7] * p.y + h[8];
  return {(h[0] * p.x + h[1] * p.y + h[2]) / w, (h[3] * p.x + h[4] * p.y + h[5]) / w};
}

void add(PointPairs& pairs, const Point& a, const Point& b) {
  pairs.a.push_back(a);
  pairs.b.push_back(b);
}

// Pairs of a plane in the part of A with a width and a height, with errors of at most half a pixel.
PointPairs plane(const std::array<double, 9>& h, int count, double width, double height, Random& random) {
  PointPairs pairs;
  while (static_cast<int>(pairs.a.size()) < count) {
    const Point a{random.uniform(0, width), random.uniform(0, height)};
    const Point b = mapped(h, a);
    if (b.x < 0 || b.x > 999 || b.y < 0 || b.y > 799) continue;
    add(pairs, a, {b.x + random.uniform(-0.5, 0.5), b.y + random.uniform(-0.5, 0.5)});
  }
  return pairs;
}

std::vector<Kind> kinds(const PointPairs& pairs) {
  const RobustModel homography = estimate_homography(pairs.a, pairs.b);
  EXPECT_TRUE(homography.found) << homography.reason;
  std::vector<Kind> found;
  for (const AlignmentWarning& warning : warnings_of(homography, pairs, size, size)) {
    found.push_back(warning.kind);
    EXPECT_FALSE(warning.sentence.empty());
    EXPECT_EQ(warning.sentence.find('\n'), std::string::npos);
  }
  return found;
}

bool holds(const std::vector<Kind>& found, Kind kind) {
  return std::find(found.begin(), found.end(), kind) != found.end();
}

TEST(Warnings, NoneForPlanesAndTurningCameras) {
  Random random(1);
  const std::array<std::array<double, 9>, 5> right{{{1, 0, 0, 0, 1, 0, 0, 0, 1},
                                                    {0.8, -0.3, 120, 0.25, 0.9, -40, 1e-4, -5e-5, 1},
                                                    {-1, 0, 999, 0, -1, 799, 0, 0, 1},
                                                    {0.3, 0, 200, 0, 0.3, 200, 0, 0, 1},
                                                    {1, 0, -850, 0, 1, 10, 0, 0, 1}}};  // an overlap of 15 %
  for (const auto& h : right) {
    for (const int count : {30, 300}) {
      PointPairs pairs = plane(h, count, 999, 799, random);
      for (int i = 0; i < count / 2; ++i) add(pairs, random.point(), random.point());
      EXPECT_EQ(kinds(pairs), std::vector<Kind>{}) << h[0] << " " << count;
    }
  }
}

TEST(Warnings, FewInliersAmongManyMatches) {
  Random random(2);
  PointPairs pairs = plane({1, 0, 30, 0, 1, 20, 0, 0, 1}, 40, 999, 799, random);
  for (int i = 0; i < 400; ++i) add(pairs, random.point(), random.point());
  EXPECT_TRUE(holds(kinds(pairs), Kind::few_inliers));
}

TEST(Warnings, SeveralOrientationsOfOnePointAreOnePair) {
  Random random(3);
  PointPairs pairs = plane({1, 0, 30, 0, 1, 20, 0, 0, 1}, 7, 969, 779, random);
  const PointPairs once = pairs;
  for (int i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < once.a.size(); ++k) add(pairs, once.a[k], once.b[k]);
  }
  EXPECT_TRUE(holds(kinds(pairs), Kind::few_inliers));
}

TEST(Warnings, ASceneWithDepthIsNoPlane) {
  Random random(4);
  PointPairs pairs = plane({1, 0, -40, 0, 1, 0, 0, 0, 1}, 200, 999, 799, random);
  for (int i = 0; i < 150; ++i) {
    const Point a = random.point();
    add(pairs, a, {a.x - random.uniform(0, 160), a.y + random.uniform(-0.5, 0.5)});
  }
  EXPECT_TRUE(holds(kinds(pairs), Kind::parallax));
}

TEST(Warnings, InliersInACornerLeaveTheRestUncertain) {
  Random random(5);
  EXPECT_TRUE(holds(kinds(plane({1, 0, 0, 0, 1, 0, 0, 0, 1}, 40, 80, 60, random)), Kind::uncertain));
}

TEST(Warnings, InliersNearlyOnALineLeaveTheRestUncertain) {
  Random random(6);
  EXPECT_TRUE(holds(kinds(plane({1, 0, 0, 0, 1, 0, 0, 0, 1}, 60, 999, 25, random)), Kind::uncertain));
}

TEST(Warnings, APerspectiveBeyondThatOfImages) {
  Random random(7);
  // B's scale falls from 4 to 0.16 within A.
  EXPECT_TRUE(holds(kinds(plane({4, 0, 0, 0, 4, 0, 0.02, 0, 1}, 300, 999, 799, random)), Kind::extreme_perspective));
}

TEST(Warnings, AModelThatMirrorsIsFolded) {
  Random random(8);
  RobustModel mirror;
  mirror.found = true;
  mirror.b_from_a = {-1, 0, 999, 0, 1, 0, 0, 0, 1};
  const PointPairs pairs = plane(mirror.b_from_a, 100, 999, 799, random);
  mirror.inliers.assign(100, 1);
  const std::vector<AlignmentWarning> warnings = warnings_of(mirror, pairs, size, size);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(word(warnings.front().kind), "folded");
}

TEST(Warnings, NoneWithoutAHomography) { EXPECT_TRUE(warnings_of({}, {}, size, size).empty()); }

}  // namespace
}  // namespace octavo
