// Images that have a caption or a frame in common.

#include <gtest/gtest.h>

#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "multiview/mosaic/test_scenes.h"

namespace octavo {
namespace {

using mosaic::test::input;
using mosaic::test::plan;
using mosaic::test::scene;

constexpr int width = 400, height = 300;

enum class Overlay { none, caption, logo, film };

// The image with something that stands at the same pixels of all.
cv::Mat with(Overlay overlay, const cv::Mat& image) {
  cv::Mat shown = image.clone();
  const cv::Scalar white = cv::Scalar::all(255), black = cv::Scalar::all(0);
  if (overlay == Overlay::caption) {
    shown(cv::Rect(0, 250, width, 50)).setTo(cv::Scalar(20, 20, 60));
    cv::putText(shown, "The harbour, 12 May 1994", {12, 282}, cv::FONT_HERSHEY_COMPLEX, 0.8, white, 2, cv::LINE_AA);
  } else if (overlay == Overlay::logo) {
    for (int i = 0; i < 5; ++i) {
      cv::circle(shown, {330 + 12 * (i % 2), 30 + 9 * i}, 6 + 2 * i, i % 2 == 0 ? white : black, 2, cv::LINE_AA);
    }
    cv::putText(shown, "TV 7", {300, 100}, cv::FONT_HERSHEY_DUPLEX, 1, white, 2, cv::LINE_AA);
  } else if (overlay == Overlay::film) {
    for (const int y : {0, 260}) {
      shown(cv::Rect(0, y, width, 40)).setTo(black);
      for (int x = 8; x < width; x += 31) shown(cv::Rect(x, y + 10, 12 + x % 7, 20)).setTo(white);
      cv::putText(shown, "OCTAVO 5063", {60, y + 26}, cv::FONT_HERSHEY_PLAIN, 1, cv::Scalar(0, 200, 255), 1);
    }
  }
  return shown;
}

class Watermarks : public testing::TestWithParam<Overlay> {};

TEST_P(Watermarks, JoinNoOtherScenes) {
  std::vector<MosaicInput> inputs;
  for (const int seed : {1, 2, 3}) {
    inputs.push_back(input(std::to_string(seed), with(GetParam(), scene(width, height, static_cast<unsigned>(seed)))));
  }
  const MosaicPlan joined = plan(inputs);
  EXPECT_FALSE(joined.found) << joined.why;
  for (const MosaicImage& image : joined.images) EXPECT_EQ(image.status, MosaicImageStatus::no_overlap) << image.reason;
}

TEST_P(Watermarks, DoNotDisplaceAPanorama) {
  const cv::Mat whole = scene(700, 420);
  const std::vector<cv::Point> corners{{0, 0}, {150, 60}, {290, 110}};
  std::vector<MosaicInput> inputs;
  for (const cv::Point& corner : corners) {
    inputs.push_back(
        input(std::to_string(corner.x), with(GetParam(), whole(cv::Rect(corner, cv::Size(width, height))))));
  }
  const MosaicPlan joined = plan(inputs);
  ASSERT_TRUE(joined.found) << joined.reason;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    ASSERT_EQ(joined.images[i].status, MosaicImageStatus::placed) << joined.images[i].reason;
    const auto& frame = joined.images[i].frame_from_image;
    const auto& first = joined.images[0].frame_from_image;
    EXPECT_NEAR(frame[2] - first[2], corners[i].x, 0.3);
    EXPECT_NEAR(frame[5] - first[5], corners[i].y, 0.3);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, Watermarks,
                         testing::Values(Overlay::none, Overlay::caption, Overlay::logo, Overlay::film));

TEST(Watermark, IsToldAsTheReason) {
  const MosaicPlan joined = plan({input("a", with(Overlay::caption, scene(width, height, 1))),
                                  input("b", with(Overlay::caption, scene(width, height, 2)))});
  ASSERT_EQ(joined.pairs.size(), 1U);
  EXPECT_EQ(joined.pairs[0].status, MosaicPairStatus::watermark);
  EXPECT_NE(joined.images[0].reason.find("stands at the same pixels of both"), std::string::npos)
      << joined.images[0].reason;
}

// A camera on a tripod: exposures that are far apart, and something that moves.
TEST(Watermark, IsNotTheSceneOfATripod) {
  const cv::Mat whole = scene(width, height);
  std::vector<MosaicInput> inputs;
  for (const double gain : {0.2, 1.0}) {
    cv::Mat exposed;
    whole.convertTo(exposed, CV_8U, gain);
    cv::circle(exposed, {gain < 1 ? 100 : 260, 150}, 40, cv::Scalar::all(40), -1);
    inputs.push_back(input(std::to_string(gain), exposed));
  }
  EXPECT_TRUE(plan(inputs, {.keep_redundant = true, .seams = false}).found);
}

}  // namespace
}  // namespace octavo
