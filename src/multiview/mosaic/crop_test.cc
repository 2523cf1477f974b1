// The mosaic without empty places.

#include "multiview/mosaic/crop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "multiview/mosaic/test_scenes.h"
#include "octavo/image.h"

namespace octavo::mosaic {
namespace {

int largest_area(const cv::Mat& mask) {
  int best = 0;
  for (int top = 0; top < mask.rows; ++top) {
    for (int bottom = top; bottom < mask.rows; ++bottom) {
      int run = 0;
      for (int x = 0; x < mask.cols; ++x) {
        const cv::Mat column = mask(cv::Rect(x, top, 1, bottom + 1 - top));
        run = cv::countNonZero(column) == column.rows ? run + 1 : 0;
        best = std::max(best, run * column.rows);
      }
    }
  }
  return best;
}

TEST(LargestRectangle, IsThatOfAllRectangles) {
  cv::RNG random(4);
  for (int round = 0; round < 200; ++round) {
    cv::Mat mask(random.uniform(1, 9), random.uniform(1, 12), CV_8U);
    for (auto& value : cv::Mat_<unsigned char>(mask)) value = random.uniform(0.0, 1.0) < 0.75 ? 255 : 0;
    const cv::Rect found = largest_rectangle(mask);
    EXPECT_EQ(found.area(), largest_area(mask));
    EXPECT_TRUE(found.empty() || cv::countNonZero(mask(found)) == found.area());
  }
  EXPECT_TRUE(largest_rectangle(cv::Mat::zeros(5, 7, CV_8U)).empty());
  EXPECT_EQ(largest_rectangle(cv::Mat::ones(5, 7, CV_8U)), cv::Rect(0, 0, 7, 5));
}

// A part of a scene that is turned about its centre.
MosaicInput turned_part(const cv::Mat& whole, const std::string& name, const cv::Point2f& centre, double angle) {
  constexpr int width = 460, height = 340;
  cv::Mat map = cv::getRotationMatrix2D(centre, angle, 1), view;
  map.at<double>(0, 2) += width / 2.0 - centre.x;
  map.at<double>(1, 2) += height / 2.0 - centre.y;
  cv::warpAffine(whole, view, map, {width, height}, cv::INTER_CUBIC, cv::BORDER_REFLECT);
  return test::input(name, view);
}

cv::Mat alpha(const Image& image) {
  cv::Mat opaque;
  cv::extractChannel(io::to_mat(image.view()), opaque, 3);
  return opaque;
}

TEST(Crop, HasNoEmptyPlaces) {
  const cv::Mat whole = test::scene(1500, 700);
  const std::vector<MosaicInput> inputs{turned_part(whole, "a", {350, 320}, 4), turned_part(whole, "b", {650, 350}, -6),
                                        turned_part(whole, "c", {930, 300}, 3)};
  const MosaicPlan uncut = test::plan(inputs, {}), cut = test::plan(inputs, {.crop = true});
  ASSERT_TRUE(cut.found) << cut.reason;
  const Image large = draw_mosaic(uncut, inputs), small = draw_mosaic(cut, inputs);
  EXPECT_EQ(static_cast<std::uint64_t>(small.width()), cut.width);
  EXPECT_EQ(static_cast<std::uint64_t>(small.height()), cut.height);
  EXPECT_EQ(cv::countNonZero(alpha(small)), small.width() * small.height());
  const cv::Rect best = largest_rectangle(alpha(large));
  EXPECT_LT(best.area(), 0.9 * large.width() * large.height());
  EXPECT_GE(small.width() * small.height(), 0.97 * best.area());
  // The same pixels, at the places that the plan tells, but for the pyramids of the bands.
  const cv::Rect place(static_cast<int>(cut.left - uncut.left), static_cast<int>(cut.top - uncut.top), small.width(),
                       small.height());
  EXPECT_LT(test::rms(test::colours(large)(place), test::colours(small)), 1);
  const Image drawn_seams = draw_mosaic_seams(cut), drawn_graph = draw_mosaic_graph(cut);
  EXPECT_LT(drawn_seams.width(), drawn_graph.width());
}

// Scans side by side: what has no empty places is not cut.
TEST(Crop, LeavesWhatIsWhole) {
  const cv::Mat whole = test::scene(1100, 700);
  const std::vector<MosaicInput> inputs{test::input("a", whole({0, 0, 640, 700}).clone()),
                                        test::input("b", whole({460, 0, 640, 700}).clone())};
  const MosaicPlan uncut = test::plan(inputs), cut = test::plan(inputs, {.seams = false, .crop = true});
  ASSERT_EQ(cv::countNonZero(alpha(draw_mosaic(uncut, inputs))), uncut.width * uncut.height);
  EXPECT_EQ(cut.width, uncut.width);
  EXPECT_EQ(cut.height, uncut.height);
  EXPECT_EQ(cut.left, uncut.left);
}

TEST(Crop, AvoidsHoles) {
  const cv::Mat whole = test::scene(1100, 700);
  cv::Mat holed;
  cv::cvtColor(whole({460, 0, 640, 700}), holed, cv::COLOR_RGB2RGBA);
  cv::circle(holed, {420, 90}, 4, cv::Scalar::all(0), cv::FILLED);
  const std::vector<MosaicInput> inputs{test::input("a", whole({0, 0, 640, 700}).clone()), test::input("b", holed)};
  const MosaicPlan cut = test::plan(inputs, {.seams = false, .crop = true});
  ASSERT_TRUE(cut.found) << cut.reason;
  const cv::Mat opaque = alpha(draw_mosaic(cut, inputs));
  EXPECT_EQ(cv::countNonZero(opaque), static_cast<int>(opaque.total()));
  EXPECT_GT(static_cast<double>(opaque.total()), 0.97 * 1100 * (700 - 95));
}

}  // namespace
}  // namespace octavo::mosaic
