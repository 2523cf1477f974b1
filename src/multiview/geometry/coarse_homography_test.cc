// A pixel of A is long in B along one direction and short along another, as where each image sees a plane from aside.

#include "multiview/geometry/coarse_homography.h"

#include <gtest/gtest.h>

#include <cmath>
#include <opencv2/core.hpp>

#include "multiview/geometry/visible_part.h"

namespace octavo {
namespace {

const cv::Matx33d b_from_a(6, 1, 40, -0.1, 0.25, 60, 2e-4, -3e-4, 1);
const cv::Point2d middle{100, 300};

cv::Point2d in_b(const cv::Matx33d& h, const Point& a) { return planes::mapped(h, {a.x, a.y}).place; }

// Keypoints of both images are off by about 0.7 pixels along each axis. The second half of the pairs is wrong.
PointPairs half_wrong(int count, int seed) {
  cv::RNG random(static_cast<std::uint64_t>(seed));
  PointPairs pairs;
  for (int i = 0; i < count; ++i) {
    const Point a{random.uniform(0.0, 200.0), random.uniform(0.0, 600.0)};
    const cv::Point2d b =
        2 * i < count ? in_b(b_from_a, a) : cv::Point2d(random.uniform(0.0, 1200.0), random.uniform(0.0, 250.0));
    pairs.a.push_back({a.x + random.gaussian(0.7), a.y + random.gaussian(0.7)});
    pairs.b.push_back({b.x + random.gaussian(0.7), b.y + random.gaussian(0.7)});
  }
  return pairs;
}

// The mean distance in B from the true homography.
double error_of(const RobustModel& model) {
  double sum = 0;
  int places = 0;
  for (int y = 0; y <= 600; y += 100) {
    for (int x = 0; x <= 200; x += 50, ++places) {
      const Point a{double(x), double(y)};
      sum += cv::norm(in_b(cv::Matx33d(model.b_from_a.data()), a) - in_b(b_from_a, a));
    }
  }
  return sum / places;
}

TEST(CoarseFromB, ShortensWhereAPixelOfAIsLong) {
  // B is turned by a quarter; there A's x is 4 times as long and A's y a third as long.
  const cv::Matx22d turned = coarse_from_b({0, -1.0 / 3, 500, 4, 0, 20, 0, 0, 1}, {10, 20});
  EXPECT_NEAR(cv::norm(turned - cv::Matx22d(1, 0, 0, 0.25)), 0, 1e-12);
  // A is the coarser one in all directions.
  const cv::Matx22d larger = coarse_from_b({0, -3, 500, 3, 0, 20, 0, 0, 1}, {10, 20});
  EXPECT_NEAR(cv::norm(larger - cv::Matx22d(1.0 / 3, 0, 0, 1.0 / 3)), 0, 1e-12);
  // B is, and a pair is as far off as in its pixels.
  const cv::Matx33d smaller(0.5, 0.1, 0, 0, 0.3, 0, 1e-4, 0, 1);
  EXPECT_EQ(cv::norm(coarse_from_b(smaller, {10, 20}) - cv::Matx22d::eye()), 0);
  const cv::Point2d place = in_b(smaller, {10, 20});
  EXPECT_NEAR(coarse_error(smaller, {10, 20}, {place.x + 3, place.y - 4}), 5, 1e-12);
}

TEST(CoarseHomography, IsNearerThanThatOfErrorsInB) {
  double coarse = 0, plain = 0;
  for (int seed = 1; seed <= 10; ++seed) {
    const PointPairs pairs = half_wrong(200, seed);
    const RobustModel found = estimate_coarse_homography(pairs, b_from_a, middle, {});
    ASSERT_TRUE(found.found) << seed;
    EXPECT_GE(found.inlier_count, 90) << seed;  // of 100 right pairs
    EXPECT_LE(found.inlier_count, 110) << seed;
    coarse += error_of(found);
    const RobustModel in_pixels_of_b = estimate_homography(pairs.a, pairs.b);
    plain += in_pixels_of_b.found ? error_of(in_pixels_of_b) : 10;
  }
  EXPECT_LT(coarse, 0.6 * plain);
  EXPECT_LT(coarse / 10, 2);  // a pixel of A is 6 of B
}

TEST(CoarseHomography, IsThatOfExactPairs) {
  PointPairs pairs;
  for (const Point& a : {Point{10, 20}, {150, 40}, {30, 500}, {190, 580}, {90, 300}, {60, 410}}) {
    pairs.a.push_back(a);
    pairs.b.push_back({in_b(b_from_a, a).x, in_b(b_from_a, a).y});
  }
  const RobustModel found = estimate_coarse_homography(pairs, b_from_a, middle, {});
  ASSERT_TRUE(found.found) << found.reason;
  EXPECT_EQ(found.inlier_count, 6);
  EXPECT_LT(found.reprojection_error, 1e-6);
  EXPECT_LT(error_of(found), 1e-6);
}

TEST(CoarseHomography, SaysWhyThereIsNone) {
  PointPairs pairs{{{0, 0}, {1, 1}, {2, 2}}, {{0, 0}, {1, 1}, {2, 2}}};
  EXPECT_FALSE(estimate_coarse_homography(pairs, b_from_a, middle, {}).reason.empty());
  for (int i = 3; i < 40; ++i) {
    pairs.a.push_back({double(i), double(i)});
    pairs.b.push_back({double(i), double(i)});
  }
  const RobustModel on_a_line = estimate_coarse_homography(pairs, b_from_a, middle, {});
  EXPECT_FALSE(on_a_line.found);
  EXPECT_FALSE(on_a_line.reason.empty());
}

}  // namespace
}  // namespace octavo
