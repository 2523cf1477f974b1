#include "video/frames/view_chooser.h"

#include <gtest/gtest.h>

#include <opencv2/imgproc.hpp>
#include <vector>

namespace octavo::video {
namespace {

const cv::Size frame_size(240, 180);

// A wide picture with texture everywhere.
cv::Mat picture(int seed = 1) {
  cv::Mat noise(400, 1200, CV_8U), smooth;
  cv::RNG(static_cast<std::uint64_t>(seed)).fill(noise, cv::RNG::UNIFORM, 0, 256);
  cv::GaussianBlur(noise, smooth, {}, 2);
  cv::normalize(smooth, smooth, 0, 255, cv::NORM_MINMAX);
  return smooth;
}

cv::Mat frame_at(const cv::Mat& whole, int x, int y = 0) { return whole(cv::Rect({x, y}, frame_size)).clone(); }

class Filmed {
 public:
  void show(const cv::Mat& frame) { views_.add(frame, seconds_++); }
  std::vector<double> chosen() { return views_.finish(); }

 private:
  MatchableViews views_;
  double seconds_ = 0;
};

TEST(MatchableViews, ShowSixtyToEightyPercentOfTheOneBefore) {
  const cv::Mat whole = picture();
  Filmed film;
  for (int x = 0; x <= 720; x += 3) film.show(frame_at(whole, x));
  const std::vector<double> times = film.chosen();
  ASSERT_GE(times.size(), 8u);
  EXPECT_EQ(times[0], 0);
  for (std::size_t i = 1; i < times.size(); ++i) {
    const double shown = 1 - (times[i] - times[i - 1]) * 3 / frame_size.width;
    EXPECT_GE(shown, 0.5) << i;
    EXPECT_LE(shown, 0.85) << i;
  }
}

TEST(MatchableViews, AreTheSharpestOfTheirNeighbours) {
  const cv::Mat whole = picture();
  Filmed film;
  std::vector<bool> is_sharp;
  for (int x = 0; x <= 720; x += 3) {
    cv::Mat frame = frame_at(whole, x);
    is_sharp.push_back(x % 12 == 6);
    if (!is_sharp.back()) cv::blur(frame, frame, {5, 1});
    film.show(frame);
  }
  for (const double time : film.chosen()) EXPECT_TRUE(is_sharp[static_cast<std::size_t>(time)]) << time;
}

TEST(MatchableViews, AreFewWhereTheCameraStands) {
  const cv::Mat whole = picture();
  Filmed film;
  for (int i = 0; i < 40; ++i) film.show(frame_at(whole, 5));
  for (int x = 5; x < 200; x += 5) film.show(frame_at(whole, x));
  const std::vector<double> moving = film.chosen();
  EXPECT_LE(moving.size(), 5u);
  Filmed still;
  for (int i = 0; i < 40; ++i) still.show(frame_at(whole, 5));
  EXPECT_EQ(still.chosen(), std::vector<double>{0});
}

TEST(MatchableViews, ComeFromACameraThatGoesAhead) {
  const cv::Mat whole = picture();
  Filmed film;
  for (int i = 0; i < 60; ++i) {
    const double scale = 1 + 0.02 * i;
    const cv::Size seen(static_cast<int>(480 / scale), static_cast<int>(360 / scale));
    cv::Mat frame;
    cv::resize(whole(cv::Rect(cv::Point(600 - seen.width / 2, 200 - seen.height / 2), seen)), frame, frame_size, 0, 0,
               cv::INTER_AREA);
    film.show(frame);
  }
  const std::vector<double> times = film.chosen();
  EXPECT_GE(times.size(), 3u);
  EXPECT_LE(times.size(), 15u);
}

TEST(MatchableViews, AreMoreWhereThingsPassEachOther) {
  const cv::Mat far = picture(1), near = picture(2);
  Filmed together, apart;
  for (int i = 0; i < 60; ++i) {
    together.show(frame_at(far, 2 * i));
    cv::Mat frame = frame_at(far, 2 * i);
    frame_at(near, 4 * i).rowRange(110, 180).copyTo(frame.rowRange(110, 180));
    apart.show(frame);
  }
  EXPECT_GT(apart.chosen().size(), together.chosen().size() + 1);
}

TEST(MatchableViews, BeginAnewAfterACutAndLeaveOutWhatIsBlank) {
  Filmed film;
  for (int i = 0; i < 5; ++i) film.show(cv::Mat(frame_size, CV_8U, cv::Scalar(7)));
  for (int i = 0; i < 5; ++i) film.show(frame_at(picture(1), 0));
  for (int i = 0; i < 5; ++i) film.show(frame_at(picture(2), 0));
  EXPECT_EQ(film.chosen(), (std::vector<double>{5, 10}));
  Filmed blank;
  for (int i = 0; i < 5; ++i) blank.show(cv::Mat(frame_size, CV_8U, cv::Scalar(7)));
  EXPECT_TRUE(blank.chosen().empty());
}

}  // namespace
}  // namespace octavo::video
