// What gains and vignetting leave of the differences of light: local gains and highlights.

#include <gtest/gtest.h>

#include "multiview/mosaic/clipped.h"
#include "multiview/mosaic/highlights.h"
#include "multiview/mosaic/test_scenes.h"

namespace octavo::mosaic::test {
namespace {

// A scene whose upper part is a smooth sky.
cv::Mat landscape() {
  cv::Mat whole = scene(480, 240);
  for (int y = 0; y < 100; ++y) {
    for (int x = 0; x < whole.cols; ++x) {
      whole.at<cv::Vec3b>(y, x) = cv::Vec3b(static_cast<uchar>(90 + y / 4), 140, static_cast<uchar>(200 - x / 20));
    }
  }
  return whole;
}

// Without bands, which would hide a seam of such small images.
cv::Mat mosaic_of(const std::vector<MosaicInput>& inputs) {
  const MosaicPlan joined = plan(inputs, {.bands = 0});
  EXPECT_TRUE(joined.found) << joined.reason;
  return colours(draw_mosaic(joined, inputs));
}

// The camera rendered one image's sky in another colour, and the rest in the same.
TEST(Light, LeavesNoSeamInASkyThatACameraRendersInTwoColours) {
  const cv::Mat whole = landscape();
  cv::Mat right = whole(cv::Rect(160, 0, 320, 240)).clone();
  right(cv::Rect(0, 0, 320, 100)) += cv::Scalar(20, -15, -40);
  const cv::Mat drawn = mosaic_of({input("left", whole(cv::Rect(0, 0, 320, 240)).clone()), input("right", right)});
  double largest = 0;
  for (int x = 8; x + 12 < drawn.cols; ++x) {
    largest = std::max(largest, rms(drawn(cv::Rect(x, 10, 2, 60)), drawn(cv::Rect(x + 4, 10, 2, 60))));
  }
  EXPECT_LT(largest, 4);
}

TEST(Light, TakesNoColourOfAThingThatMoves) {
  const cv::Mat whole = landscape();
  std::vector<MosaicInput> inputs;
  for (const int x : {0, 160}) {
    cv::Mat image = whole(cv::Rect(x, 0, 320, 240)).clone();
    cv::circle(image, {200, 120}, 30, cv::Scalar(230, 20, 20), cv::FILLED);
    inputs.push_back(input(std::to_string(x), image));
  }
  const cv::Mat drawn = mosaic_of(inputs);
  for (const cv::Rect& around : {cv::Rect(20, 20, 120, 200), cv::Rect(258, 60, 40, 120), cv::Rect(410, 20, 60, 200)}) {
    EXPECT_LT(cv::norm(cv::mean(drawn(around)) - cv::mean(whole(around))), 3) << around;
  }
}

// What a dark image shows of the bright is not lost when the image gets brighter.
TEST(Light, KeepsWhatADarkImageShowsOfTheBright) {
  const cv::Mat whole = scene(480, 240);
  cv::Mat dark = whole(cv::Rect(0, 0, 320, 240)) * 0.5;
  const cv::Rect bright(20, 40, 100, 160);
  whole(bright).convertTo(dark(bright), -1, 0.25, 185);
  const cv::Mat drawn = mosaic_of({input("dark", dark), input("right", whole(cv::Rect(160, 0, 320, 240)).clone())});
  const cv::Mat lost = drawn(bright) >= 254;
  EXPECT_LT(cv::countNonZero(lost.reshape(1)) / (bright.area() * 3.0), 0.02);
}

// A white sky stays white where its image gets darker.
TEST(Light, KeepsWhiteWhite) {
  cv::Mat whole = scene(480, 240) * 0.5;
  whole(cv::Rect(0, 0, 150, 60)).setTo(cv::Scalar::all(255));
  cv::Mat bright;
  whole(cv::Rect(0, 0, 320, 240)).convertTo(bright, -1, 1.6);
  const cv::Mat drawn = mosaic_of({input("bright", bright), input("right", whole(cv::Rect(160, 0, 320, 240)).clone())});
  EXPECT_GT(cv::mean(drawn(cv::Rect(10, 10, 110, 40)))[0], 250);
}

// Grey images take no colour from others, and others lose none.
TEST(Light, LeavesColoursBesideGreyImages) {
  cv::Mat whole = scene(480, 240) * 0.5;
  whole += cv::Scalar(0, 90, 20);  // a green scene
  cv::Mat grey;
  cv::cvtColor(whole(cv::Rect(160, 0, 320, 240)), grey, cv::COLOR_RGB2GRAY);
  cv::cvtColor(grey, grey, cv::COLOR_GRAY2RGB);
  const cv::Mat drawn = mosaic_of({input("green", whole(cv::Rect(0, 0, 320, 240)).clone()), input("grey", grey)});
  const cv::Rect left(10, 10, 140, 220), right(330, 10, 140, 220);
  EXPECT_LT(cv::norm(cv::mean(drawn(left)) - cv::mean(whole(left))), 6);
  const cv::Scalar colour = cv::mean(drawn(right));
  EXPECT_LT(std::max({colour[0], colour[1], colour[2]}) - std::min({colour[0], colour[1], colour[2]}), 1);
}

// A lawn in the sun is clipped at every second pixel; a lone pixel and a wire before the sun say nothing.
TEST(Clipped, HasTexturesAndNoLonePixels) {
  cv::Mat colours(80, 80, CV_32FC3, cv::Scalar::all(0.5));
  for (int y = 30; y < 70; y += 2) {
    for (int x = 10; x < 70; x += 2) colours.at<cv::Vec3f>(y, x) = cv::Vec3f::all(1);
  }
  colours.row(10).setTo(cv::Scalar::all(1));
  colours.at<cv::Vec3f>(20, 20) = cv::Vec3f::all(1);
  const cv::Mat lost = clipped(colours);
  EXPECT_EQ(cv::countNonZero(lost.rowRange(0, 26)), 0);
  EXPECT_EQ(cv::countNonZero(lost(cv::Rect(14, 34, 50, 30))), 50 * 30);
}

TEST(Highlights, KeepTheirColour) {
  cv::Mat colours(1, 4, CV_32FC3);
  const std::vector<cv::Vec3f> before{{0.5F, 0.4F, 0.3F}, {1.2F, 0.9F, 0.6F}, {1.4F, 1.05F, 0.7F}, {1.6F, 1.6F, 1.6F}};
  for (int i = 0; i < 4; ++i) colours.at<cv::Vec3f>(i) = before[static_cast<std::size_t>(i)];
  mosaic::compress_highlights(colours, 1.6);
  const auto after = [&](int i) { return colours.at<cv::Vec3f>(i); };
  EXPECT_EQ(after(0), before[0]);
  EXPECT_NEAR(after(3)[0], 1, 1e-5);
  EXPECT_LT(after(1)[0], after(2)[0]);
  EXPECT_LT(after(2)[0], 1);
  for (int i = 1; i < 4; ++i) {
    const cv::Vec3f& own = before[static_cast<std::size_t>(i)];
    EXPECT_NEAR(after(i)[1] / after(i)[0], own[1] / own[0], 1e-5);
    EXPECT_NEAR(after(i)[2] / after(i)[0], own[2] / own[0], 1e-5);
  }
}

}  // namespace
}  // namespace octavo::mosaic::test
