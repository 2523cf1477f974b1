// Doubts of what pairs have in common.

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

// The images that may have one thing in common with the others.
std::vector<std::string> doubted(const MosaicPlan& joined) {
  std::vector<std::string> names;
  for (const std::string& one : joined.warnings) {
    if (one.find("one thing in common") != std::string::npos) names.push_back(one.substr(0, one.find(' ')));
  }
  return names;
}

// A page in parts, and a part of another page, which has one of its headlines.
TEST(OneThing, AHeadlineOfTwoPages) {
  const cv::Mat page = scene(760, 560), other = scene(360, 300, 2);
  std::vector<MosaicInput> inputs;
  for (const int y : {0, 260}) {
    for (const int x : {0, 200, 400}) {
      inputs.push_back(input(std::to_string(inputs.size()), page(cv::Rect(x, y, 360, 300)).clone()));
    }
  }
  EXPECT_EQ(doubted(plan(inputs)), std::vector<std::string>{});
  const cv::Mat with_headline = other.clone();
  page(cv::Rect(40, 60, 320, 60)).copyTo(with_headline(cv::Rect(20, 190, 320, 60)));
  inputs.push_back(input("other", with_headline));
  const MosaicPlan joined = plan(inputs);
  ASSERT_TRUE(joined.found) << joined.reason;
  ASSERT_EQ(joined.images.back().status, MosaicImageStatus::placed);
  EXPECT_EQ(doubted(joined), std::vector<std::string>{"'other'"});
}

// A person stands in two views, one of which shows a faint sky elsewhere.
TEST(OneThing, APersonBeforeTheSky) {
  cv::Mat whole = scene(1000, 420);
  cv::Mat sky = whole.rowRange(0, 220);
  sky.convertTo(sky, -1, 0.1, 0.9 * 127);
  const cv::Mat person = scene(50, 110, 5);
  std::vector<MosaicInput> inputs;
  for (const cv::Rect& place : {cv::Rect(0, 150, 300, 240), cv::Rect(180, 150, 300, 240), cv::Rect(360, 150, 300, 240),
                                cv::Rect(650, 0, 300, 200)}) {
    cv::Mat view = whole(place).clone();
    if (place.x >= 360) person.copyTo(view(cv::Rect(cv::Point(120 + place.x % 37, 40 + place.x % 23), person.size())));
    inputs.push_back(input(std::to_string(inputs.size()), view));
  }
  const MosaicPlan joined = plan(inputs, {.keep_redundant = true, .seams = false});
  ASSERT_TRUE(joined.found) << joined.reason;
  ASSERT_EQ(joined.images.back().status, MosaicImageStatus::placed);
  EXPECT_EQ(doubted(joined), std::vector<std::string>{"'3'"});
}

// Noise has keypoints, which are no places of the scene.
TEST(OneThing, IsNotASkylineBelowNoise) {
  const cv::Mat whole = scene(700, 320);
  cv::RNG random(3);
  std::vector<MosaicInput> inputs;
  for (const int x : {0, 160, 320}) {
    cv::Mat view = whole(cv::Rect(x, 0, 360, 320)).clone(), sky = view.rowRange(0, 250), noise(sky.size(), CV_16SC3);
    random.fill(noise, cv::RNG::NORMAL, 0, 25);
    cv::GaussianBlur(noise, noise, {}, 0.8);
    sky.setTo(cv::Scalar(150, 180, 220));
    cv::add(sky, noise, sky, cv::noArray(), CV_8U);
    inputs.push_back(input(std::to_string(inputs.size()), view));
  }
  const MosaicPlan joined = plan(inputs);
  ASSERT_TRUE(joined.found) << joined.reason;
  EXPECT_EQ(joined.warnings, std::vector<std::string>{});
}

// Two images of a scene in whose overlap `show` shows something.
MosaicPlan pair_with(void (*show)(cv::Mat& view, int number)) {
  const cv::Mat whole = scene(620, 300);
  std::vector<MosaicInput> inputs;
  for (const int number : {0, 1}) {
    cv::Mat view = whole(cv::Rect(140 * number, 0, 480, 300)).clone();
    show(view, number);
    inputs.push_back(input(std::to_string(number), view));
  }
  return plan(inputs);
}

// A camera that moves explains the matches of who walks along a line.
TEST(Depth, IsNotWhoWalksBy) {
  const MosaicPlan joined = pair_with([](cv::Mat& view, int number) {
    for (const int i : {0, 1, 2}) {
      const cv::Mat person = scene(44, 110, static_cast<std::uint64_t>(20 + i));
      person.copyTo(view(cv::Rect(cv::Point(150 + 95 * i - 100 * number, 50 + 60 * i), person.size())));
    }
  });
  ASSERT_TRUE(joined.found) << joined.reason;
  EXPECT_EQ(joined.warnings, std::vector<std::string>{});
}

TEST(Depth, IsToldWhereThingsLieApart) {
  const MosaicPlan joined = pair_with([](cv::Mat& view, int number) {
    const cv::Mat near = scene(600, 90, 9);
    near(cv::Rect(8 + 131 * number, 0, 460, 90)).copyTo(view(cv::Rect(10, 190, 460, 90)));
  });
  ASSERT_TRUE(joined.found) << joined.reason;
  ASSERT_EQ(joined.warnings.size(), 1U);
  EXPECT_NE(joined.warnings[0].find("a scene with depth"), std::string::npos) << joined.warnings[0];
}

}  // namespace
}  // namespace octavo
