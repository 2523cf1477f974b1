// Patterns that repeat fit at several places. Where plain matches tell none, a retry must not tell one without doubt.

#include <gtest/gtest.h>

#include <cstdint>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "engine/selftest/images.h"
#include "io/opencv/cv_mat.h"
#include "multiview/align/choice.h"
#include "multiview/align/made_pairs.h"
#include "octavo/image.h"
#include "octavo/multiview/align.h"

namespace octavo {
namespace {

using Kind = AlignmentWarning::Kind;

Alignment retried(const cv::Mat& a, const cv::Mat& b) {
  const Image image_a = io::to_image(a), image_b = io::to_image(b);
  return align_anew(plain_alignment(image_a, image_b), image_a.view(), image_b.view(), {.device = {.name = "cpu"}});
}

// Whether there is no homography, or one with a doubt.
bool has_doubt(const Alignment& found) { return !found.homography.found || !found.warnings.empty(); }

cv::Mat with_noise(const cv::Mat& image, std::uint64_t seed) {
  cv::RNG random(seed);
  cv::Mat noise(image.size(), CV_16S), sum, noisy;
  random.fill(noise, cv::RNG::NORMAL, 0, 3);
  image.convertTo(sum, CV_16S);
  cv::Mat(sum + noise).convertTo(noisy, CV_8U);
  return noisy;
}

// Rows of equal windows, in panes of several greys.
cv::Mat facade(std::uint64_t seed, int left = 12) {
  cv::RNG random(seed);
  cv::Mat wall(270, 320, CV_8U, cv::Scalar(150));
  for (int y = 12; y + 36 < wall.rows; y += 50) {
    for (int x = left; x + 28 < wall.cols; x += 44) {
      cv::rectangle(wall, {x, y, 28, 36}, 235, cv::FILLED);
      const int grey = random.uniform(30, 90);
      for (const cv::Rect& pane : {cv::Rect(3, 3, 10, 13), {15, 3, 10, 13}, {3, 19, 10, 14}, {15, 19, 10, 14}})
        cv::rectangle(wall, pane + cv::Point(x, y), grey, cv::FILLED);
    }
  }
  return with_noise(wall, seed + 1);
}

// A form in which some cells hold digits; its lines are as those of every form.
cv::Mat form(std::uint64_t seed, int corner = 20) {
  cv::RNG random(seed);
  cv::Mat page(280, 320, CV_8U, cv::Scalar(240));
  for (int x = corner; x < page.cols; x += 40) cv::line(page, {x, 0}, {x, page.rows}, 30, 1);
  for (int y = corner; y < page.rows; y += 40) cv::line(page, {0, y}, {page.cols, y}, 30, 1);
  for (int y = corner; y + 40 < page.rows; y += 40) {
    for (int x = corner; x + 40 < page.cols; x += 40) {
      if (random.uniform(0, 6) != 0) continue;
      cv::putText(page, std::to_string(random.uniform(1, 10)), {x + 10, y + 30}, cv::FONT_HERSHEY_SIMPLEX, 0.9, 30, 2,
                  cv::LINE_AA);
    }
  }
  return with_noise(page, seed + 1);
}

TEST(Repeating, FacadesOfOtherWindowsAreDoubted) { EXPECT_TRUE(has_doubt(retried(facade(1), facade(7, 30)))); }

TEST(Repeating, FormsWithOtherDigitsAreDoubted) { EXPECT_TRUE(has_doubt(retried(form(1), form(7, 33)))); }

// Dots alone: a shift by any period fits.
TEST(Repeating, DotsAreUndecidable) {
  cv::Mat dots(420, 500, CV_8U, cv::Scalar(250));
  for (int y = 20; y < dots.rows; y += 40) {
    for (int x = 20; x < dots.cols; x += 40) cv::circle(dots, {x, y}, 8, 0, cv::FILLED, cv::LINE_AA);
  }
  const cv::Mat a = dots(cv::Rect(0, 0, 360, 300)), b = dots(cv::Rect(93, 57, 360, 300));
  const Alignment found = retried(with_noise(a, 1), with_noise(b, 2));
  ASSERT_TRUE(found.homography.found);
  EXPECT_TRUE(has_warning(found, {Kind::undecidable}));
}

// A wall of equal windows on which no two shades are alike, seen from aside: views find it.
TEST(Repeating, ADecidableWallSeenFromAsideIsNot) {
  cv::Mat wall, shade, b;
  cv::addWeighted(facade(1), 0.5, io::to_mat(images::blobs(320, 270).view()), 0.5, 0, wall);
  const cv::Matx33d h(0.16, 0.05, 20, -0.1, 0.9, 60, -2e-4, 1e-4, 1);
  cv::Mat fine;
  cv::warpPerspective(wall, fine, cv::Matx33d(4, 0, 1.5, 0, 4, 1.5, 0, 0, 1) * h, {480, 1600});
  cv::resize(fine, b, {120, 400}, 0, 0, cv::INTER_AREA);
  const Alignment found = retried(wall, b);
  ASSERT_TRUE(found.homography.found);
  EXPECT_TRUE(found.retried);
  EXPECT_FALSE(has_warning(found, {Kind::undecidable}));
}

// A page in large letters shows words of the other at several places. Their lines look like depth.
TEST(Repeating, PagesInOneFontAreDoubtedForMoreThanDepth) {
  const auto page = [](std::uint64_t seed) {
    cv::RNG random(seed);
    const std::vector<std::string> words{"over", "children", "than", "long", "water", "should", "picture", "made"};
    cv::Mat paper(600, 480, CV_8U, cv::Scalar(245));
    for (int y = 50; y < paper.rows; y += 46) {
      std::string line;
      while (line.size() < 18) line += words[static_cast<std::size_t>(random.uniform(0, 8))] + ' ';
      cv::putText(paper, line, {20, y}, cv::FONT_HERSHEY_COMPLEX, 0.9, 20, 1, cv::LINE_AA);
    }
    return paper;
  };
  const Alignment found = retried(page(4), page(104));
  ASSERT_TRUE(found.homography.found);
  EXPECT_TRUE(has_warning(found, {Kind::parallax}));
  EXPECT_TRUE(has_warning(found, {Kind::undecidable}));
}

// Letters with one head: what plain matches find of it stays, and is local.
TEST(Repeating, LettersWithOneHeadKeepIt) {
  const auto letter = [](std::uint64_t seed) {
    cv::RNG random(seed);
    cv::Mat page(560, 400, CV_8U, cv::Scalar(245));
    io::to_mat(images::blobs(110, 70).view()).copyTo(page(cv::Rect(15, 15, 110, 70)));
    cv::putText(page, "Example & Company", {140, 50}, cv::FONT_HERSHEY_SIMPLEX, 0.7, 20, 1, cv::LINE_AA);
    for (int y = 120; y < page.rows - 10; y += 15) {
      std::string line;
      while (line.size() < 52) line += random.uniform(0, 6) == 0 ? ' ' : static_cast<char>('a' + random.uniform(0, 26));
      cv::putText(page, line, {15, y}, cv::FONT_HERSHEY_SIMPLEX, 0.4, 20, 1, cv::LINE_AA);
    }
    return page;
  };
  const Alignment found = retried(letter(1), letter(7));
  ASSERT_TRUE(found.homography.found);
  EXPECT_FALSE(found.warnings.empty());
  const auto& h = found.homography.b_from_a;
  EXPECT_NEAR((h[0] * 70 + h[1] * 50 + h[2]) / (h[6] * 70 + h[7] * 50 + h[8]), 70, 1);
  EXPECT_NEAR((h[3] * 70 + h[4] * 50 + h[5]) / (h[6] * 70 + h[7] * 50 + h[8]), 50, 1);
}

}  // namespace
}  // namespace octavo
