// Things that move: none is cut, and none casts a shadow.

#include <gtest/gtest.h>

#include "multiview/mosaic/test_scenes.h"

namespace octavo::mosaic::test {
namespace {

const cv::Size size(360, 300);

// A person who stands there: where, and in what coat.
struct Person {
  cv::Point head;
  cv::Scalar coat;

  [[nodiscard]] cv::Mat place(cv::Size whole) const {
    cv::Mat mask = cv::Mat::zeros(whole, CV_8U);
    cv::circle(mask, head, 11, cv::Scalar::all(255), cv::FILLED);
    cv::ellipse(mask, head + cv::Point(0, 50), {13, 40}, 0, 0, 360, cv::Scalar::all(255), cv::FILLED);
    return mask;
  }
  void stand_in(cv::Mat& whole) const {
    cv::ellipse(whole, head + cv::Point(0, 50), {13, 40}, 0, 0, 360, coat, cv::FILLED);
    cv::circle(whole, head, 11, cv::Scalar(221, 184, 154), cv::FILLED);
  }
};

// How far the drawn colours are at most from those expected, where the mask is: the mean of 3 × 3 pixels.
double largest_difference(const cv::Mat& drawn, const cv::Mat& expected, const cv::Mat& mask) {
  cv::Mat difference, inner;
  cv::subtract(drawn, expected, difference, cv::noArray(), CV_32F);
  cv::blur(difference, difference, {3, 3});
  cv::erode(mask, inner, cv::Mat::ones(5, 5, CV_8U));
  difference.setTo(cv::Scalar::all(0), inner == 0);
  return cv::norm(difference, cv::NORM_INF);
}

class Things : public testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(BeforeAWhiteGround, Things, testing::Bool());

TEST_P(Things, AreShownWholeOrNotAtAll) {
  cv::Mat whole = scene(560, size.height);
  whole.rowRange(0, 120).setTo(cv::Scalar(120, 160, 210));  // a sky, in which a shadow is seen
  if (GetParam()) whole.rowRange(190, 260).setTo(cv::Scalar::all(255));
  const std::vector<Person> persons{{{250, 120}, {160, 40, 40}}, {{300, 120}, {30, 120, 40}}};
  std::vector<MosaicInput> inputs;
  for (const int i : {0, 1}) {
    cv::Mat all = whole.clone();
    persons[static_cast<std::size_t>(i)].stand_in(all);
    inputs.push_back(input(std::to_string(i), all(cv::Rect({200 * i, 0}, size)).clone()));
  }
  const MosaicPlan joined = plan(inputs, {});
  ASSERT_TRUE(joined.found) << joined.reason;
  const cv::Mat drawn = colours(draw_mosaic(joined, inputs));
  ASSERT_EQ(drawn.size(), whole.size());
  cv::Mat beside = cv::Mat(whole.size(), CV_8U, cv::Scalar::all(255));
  for (const Person& person : persons) {
    cv::Mat with = whole.clone();
    person.stand_in(with);
    const cv::Mat place = person.place(whole.size());
    EXPECT_LT(std::min(largest_difference(drawn, with, place), largest_difference(drawn, whole, place)), 25)
        << person.head;
    beside.setTo(0, place);
  }
  EXPECT_LT(largest_difference(drawn, whole, beside), 12);
}

}  // namespace
}  // namespace octavo::mosaic::test
