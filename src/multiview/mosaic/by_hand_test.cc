// Points that are set by hand join images without features.

#include "multiview/mosaic/by_hand.h"

#include <gtest/gtest.h>

#include <cmath>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "multiview/mosaic/test_scenes.h"
#include "octavo/error.h"

namespace octavo::mosaic {
namespace {

constexpr int wall_width = 300, wall_height = 200;

// Blank walls, of different greys so that they are not one image.
std::vector<MosaicInput> walls() {
  return {test::input("left", cv::Mat(wall_height, wall_width, CV_8UC3, cv::Scalar::all(120))),
          test::input("right", cv::Mat(wall_height, wall_width, CV_8UC3, cv::Scalar::all(140)))};
}

// The same places of both, where the right one begins so far to the right of and below the left one.
std::vector<MosaicPoint> points(double x, double y, std::size_t count, int a = 0, int b = 1) {
  std::vector<MosaicPoint> list;
  for (const auto& [u, v] :
       std::vector<std::pair<double, double>>{{205, 30}, {290, 170}, {290, 30}, {205, 170}, {240, 100}, {260, 60}}) {
    if (list.size() < count) list.push_back({a, b, {u, v}, {u - x, v - y}});
  }
  return list;
}

TEST(ByHand, JoinsBlankWalls) {
  ASSERT_FALSE(test::plan(walls()).found);
  for (const std::size_t count : {2U, 3U, 4U, 6U}) {
    const MosaicPlan wall = test::plan(walls(), {.seams = false, .points = points(180, 12, count)});
    ASSERT_TRUE(wall.found) << wall.reason;
    ASSERT_EQ(wall.pairs.size(), 1U);
    EXPECT_TRUE(wall.pairs[0].by_hand);
    EXPECT_EQ(wall.pairs[0].status, MosaicPairStatus::used);
    EXPECT_EQ(wall.pairs[0].inliers, static_cast<int>(count));
    EXPECT_EQ(wall.model, MosaicModel::similarity) << wall.why;
    EXPECT_NEAR(static_cast<double>(wall.width), 180 + wall_width, 1);
    EXPECT_NEAR(static_cast<double>(wall.height), 12 + wall_height, 1);
  }
  // In the other order they are the same.
  std::vector<MosaicPoint> swapped;
  for (const MosaicPoint& point : points(180, 12, 4)) swapped.push_back({1, 0, point.in_b, point.in_a});
  EXPECT_NEAR(static_cast<double>(test::plan(walls(), {.seams = false, .points = swapped}).width), 180 + wall_width, 1);
}

// Nothing but the similarity tells that one of three points is wrong.
TEST(ByHand, ShowsThatOneOfThreePointsIsWrong) {
  std::vector<MosaicPoint> list = points(180, 12, 3);
  list[2].in_b[1] += 25;
  const MosaicPlan wall = test::plan(walls(), {.seams = false, .points = list});
  ASSERT_TRUE(wall.found) << wall.reason;
  EXPECT_GT(wall.residual, 5) << wall.why;
  EXPECT_FALSE(wall.warnings.empty());
}

// The message of what planning with these points throws.
std::string refusal(const std::vector<MosaicPoint>& points) {
  try {
    test::plan(walls(), {.seams = false, .points = points});
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    return error.what();
  }
  return "";
}

TEST(ByHand, RefusesWrongPoints) {
  EXPECT_EQ(refusal(points(180, 12, 1)), "'left' and 'right' have one point that is set by hand, but need two");
  EXPECT_EQ(refusal(points(-180, 12, 4)),
            "the point (385, 18) that is set by hand is not in 'right', which has 300 x 200 pixels");
  EXPECT_EQ(refusal(points(180, 12, 4, 0, 2)), "a point that is set by hand is of the images 0 and 2, but there are 2");
  std::vector<MosaicPoint> crossed = points(180, 12, 6);
  std::swap(crossed[0].in_b, crossed[1].in_b);
  std::swap(crossed[2].in_b, crossed[4].in_b);
  EXPECT_NE(refusal(crossed).find("contradict each other"), std::string::npos) << refusal(crossed);
}

// What is set by hand places an image that the others would put elsewhere, and adds to matches that are right.
TEST(ByHand, StaysBesideMatches) {
  const cv::Mat whole = test::scene(700, 260);
  const std::vector<MosaicInput> inputs{
      test::input("a", whole({0, 0, wall_width, wall_height}).clone()),
      test::input("b", whole({180, 12, wall_width, wall_height}).clone()),
      test::input("wall", cv::Mat(wall_height, wall_width, CV_8UC3, cv::Scalar::all(120)))};
  std::vector<MosaicPoint> list = points(180, 12, 4);
  for (const MosaicPoint& point : points(150, -20, 4, 1, 2)) list.push_back(point);
  const MosaicPlan joined = test::plan(inputs, {.seams = false, .points = list});
  ASSERT_TRUE(joined.found) << joined.reason;
  for (const MosaicImage& image : joined.images) EXPECT_EQ(image.status, MosaicImageStatus::placed) << image.reason;
  EXPECT_NEAR(static_cast<double>(joined.width), 330 + wall_width, 2);
  for (const MosaicPair& pair : joined.pairs) EXPECT_EQ(pair.by_hand, pair.a + 1 == pair.b);
  EXPECT_GT(joined.pairs[0].inliers, 20);
}

TEST(ListedPairs, AreMatchedAlone) {
  const cv::Mat whole = test::scene(460, 200);
  std::vector<MosaicInput> inputs;
  for (int i = 0; i < 3; ++i) {
    inputs.push_back(test::input(std::to_string(i), whole({120 * i, 0, 220, 200}).clone()));
  }
  const MosaicPlan two = test::plan(inputs, {.seams = false, .pairs = {{{2, 1}}}});
  ASSERT_TRUE(two.found);
  EXPECT_EQ(two.images[0].status, MosaicImageStatus::no_overlap);
  ASSERT_EQ(two.pairs.size(), 1U);
  EXPECT_EQ(two.pairs[0].a, 1);
}

}  // namespace
}  // namespace octavo::mosaic
