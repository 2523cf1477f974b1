#include "video/frames/cards.h"

#include <gtest/gtest.h>

#include <functional>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "io/opencv/cv_mat.h"
#include "video/frames/content.h"

namespace octavo {
namespace {

using io::view_of;

// Lines of text in the middle of a frame with some grain.
cv::Mat card(const std::vector<std::string>& lines, double letter_size, int ground = 12, int ink = 240) {
  cv::Mat grey(360, 640, CV_8U, cv::Scalar(ground));
  int y = 180 - static_cast<int>(20 * letter_size * static_cast<double>(lines.size() - 1));
  for (const std::string& line : lines) {
    int below = 0;
    const cv::Size size = cv::getTextSize(line, cv::FONT_HERSHEY_DUPLEX, letter_size, 2, &below);
    cv::putText(grey, line, {320 - size.width / 2, y}, cv::FONT_HERSHEY_DUPLEX, letter_size, cv::Scalar(ink), 2,
                cv::LINE_AA);
    y += static_cast<int>(40 * letter_size);
  }
  cv::Mat noise(grey.size(), CV_8U);
  cv::RNG(1).fill(noise, cv::RNG::UNIFORM, 0, 5);
  return grey + noise;
}

bool is_title(const ImageView& grey) { return content_of(grey).junk == Junk::title; }

const std::vector<std::string> credits{"Directed by", "Jane Example", "Camera  Max Muster", "Sound  Anna Anybody"};

TEST(Title, IsBrightTextOnAPlainDarkGround) {
  EXPECT_TRUE(is_title(view_of(card({"The Title", "of the Film"}, 2.5))));
  EXPECT_TRUE(is_title(view_of(card(credits, 1))));
  EXPECT_TRUE(is_title(view_of(card(credits, 0.7, 40, 200))));
}

TEST(Title, IsNoOtherDarkFrame) {
  EXPECT_FALSE(is_title(view_of(card(credits, 1, 12, 80)))) << "weak";
  EXPECT_FALSE(is_title(view_of(card(credits, 1, 120, 250)))) << "a ground that is not dark";
  cv::RNG random(7);
  cv::Mat stars(360, 640, CV_8U, cv::Scalar(8)), lamps = stars.clone(), image = card(credits, 1);
  for (int i = 0; i < 300; ++i) {
    const cv::Point at(random.uniform(0, 640), random.uniform(0, 360));
    cv::circle(stars, at, 1, cv::Scalar(random.uniform(120, 255)), cv::FILLED);
    if (i < 60) cv::circle(lamps, at, 3, cv::Scalar(250), cv::FILLED);
  }
  EXPECT_FALSE(is_title(view_of(stars)));
  cv::Mat halos;
  cv::GaussianBlur(lamps, halos, {}, 8);
  EXPECT_FALSE(is_title(view_of(cv::max(lamps, 3 * halos))));
  // Text over an image.
  cv::circle(image, {100, 100}, 60, cv::Scalar(70), cv::FILLED);
  EXPECT_FALSE(is_title(view_of(image)));
  cv::Mat drawing(360, 640, CV_8U, cv::Scalar(10));
  for (int i = 0; i < 40; ++i) {
    cv::line(drawing, {random.uniform(0, 640), random.uniform(0, 360)},
             {random.uniform(0, 640), random.uniform(0, 360)}, cv::Scalar(240), 2);
  }
  EXPECT_FALSE(is_title(view_of(drawing)));
  cv::Mat windows(360, 640, CV_8U, cv::Scalar(10));
  for (int i = 0; i < 200; ++i) windows(cv::Rect(20 + 24 * (i % 20), 20 + 30 * (i / 20), 12, 16)) = 230;
  EXPECT_FALSE(is_title(view_of(windows)));
  EXPECT_FALSE(is_title(view_of(cv::Mat(32, 32, CV_8U, cv::Scalar(10)))));
}

// Upright stripes of these levels from `left` to `right`, above a ground.
cv::Mat stripes(const std::vector<int>& levels, int left = 0, int right = 640, int bottom = 240) {
  cv::Mat grey(360, 640, CV_8U, cv::Scalar(60));
  const int count = static_cast<int>(levels.size());
  for (int i = 0; i < count; ++i) {
    const cv::Point begin(left + (right - left) * i / count, 0), end(left + (right - left) * (i + 1) / count, bottom);
    grey(cv::Rect(begin, end)) = levels[static_cast<std::size_t>(i)];
  }
  return grey;
}

TEST(Bars, AreStripesOfFallingLuma) {
  const std::vector<int> smpte{191, 173, 134, 112, 82, 60, 22};
  EXPECT_TRUE(video::is_bars(view_of(stripes(smpte))));
  EXPECT_TRUE(video::is_bars(view_of(stripes(smpte, 80, 560, 210))));
  EXPECT_TRUE(video::is_bars(view_of(stripes({255, 226, 179, 150, 105, 76, 29, 0}, 0, 640, 360))));
  EXPECT_EQ(content_of(view_of(stripes(smpte))).junk, Junk::bars);
  EXPECT_FALSE(video::is_bars(view_of(stripes({22, 60, 82, 112, 134, 173, 191})))) << "rising";
  EXPECT_FALSE(video::is_bars(view_of(stripes({200, 150, 100, 50})))) << "four stripes";
  cv::Mat ramp(360, 640, CV_8U);
  for (int x = 0; x < 640; ++x) ramp.col(x) = 250 - x / 3;
  EXPECT_FALSE(video::is_bars(view_of(ramp))) << "no stripes";
  cv::Mat marked = stripes(smpte);
  cv::circle(marked, {130, 100}, 20, cv::Scalar(255), cv::FILLED);
  EXPECT_FALSE(video::is_bars(view_of(marked))) << "something before them";
}

}  // namespace
}  // namespace octavo
