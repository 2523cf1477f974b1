// Overlays of unrelated images, and two exposures of a camera that stands still.

#include "multiview/geometry/watermark.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace octavo::planes {
namespace {

// A scene of smooth structures, 40 to 200.
cv::Mat scene(int seed) {
  cv::RNG random(seed);
  cv::Mat noise(480, 640, CV_32F);
  random.fill(noise, cv::RNG::UNIFORM, 0, 1);
  cv::GaussianBlur(noise, noise, {}, 6);
  cv::normalize(noise, noise, 40, 200, cv::NORM_MINMAX);
  cv::Mat grey;
  noise.convertTo(grey, CV_8U);
  return grey;
}

void write_caption(cv::Mat& grey) {
  cv::rectangle(grey, {0, 430, 640, 50}, 0, cv::FILLED);
  cv::putText(grey, "2026-11-29 CAMERA 4 - NORTH WALL", {10, 465}, cv::FONT_HERSHEY_SIMPLEX, 0.9, 255, 2, cv::LINE_AA);
}

void write_watermarks(cv::Mat& grey) {
  cv::Mat text = cv::Mat::zeros(grey.size(), CV_8U);
  for (int y = 50; y < grey.rows; y += 110) {
    for (int x = 10 + y % 90; x < grey.cols; x += 280) {
      cv::putText(text, "OCTAVO", {x, y}, cv::FONT_HERSHEY_DUPLEX, 1.4, 255, 3, cv::LINE_AA);
    }
  }
  cv::addWeighted(grey, 1, text, 0.3, 0, grey);
}

struct Inliers {
  PointPairs pairs;
  std::vector<std::uint8_t> marks;
};

// Pairs that stand still, others that move, and outliers.
Inliers inliers(int still, int moved) {
  Inliers all;
  for (int i = 0; i < still + moved + 50; ++i) {
    const double x = 10 + i % 600, y = 440 + i % 30, by = i < still ? 0.4 : 30;
    all.pairs.a.push_back({x, y});
    all.pairs.b.push_back({x + by, y});
    all.marks.push_back(i < still + moved ? 1 : 0);
  }
  return all;
}

bool is_overlay(const Inliers& of, const cv::Mat& a, const cv::Mat& b) {
  return is_watermark(of.pairs, of.marks, a, b);
}

TEST(Watermark, WhatStandsOverUnrelatedImagesIsOne) {
  for (const auto& write : {write_caption, write_watermarks}) {
    cv::Mat a = scene(1), b = scene(2), flat(a.size(), CV_8U, 130);
    for (cv::Mat* const image : {&a, &b, &flat}) write(*image);
    EXPECT_LT(share_alike_in_place(a, b), 0.4);
    EXPECT_TRUE(is_overlay(inliers(60, 20), a, b));
    EXPECT_TRUE(is_overlay(inliers(60, 20), a, flat));
  }
}

TEST(Watermark, AStillCameraGivesNone) {
  cv::Mat a = scene(1), noise(a.size(), CV_8U);
  write_caption(a);
  cv::RNG(7).fill(noise, cv::RNG::NORMAL, 4, 3);
  for (const double exposure : {0.2, 0.5, 1.0, 2.0}) {
    cv::Mat b;
    a.convertTo(b, CV_8U, exposure);
    b += noise;
    EXPECT_GT(share_alike_in_place(a, b), 0.7) << exposure;
    EXPECT_FALSE(is_overlay(inliers(60, 20), a, b)) << exposure;
  }
}

TEST(Watermark, ABlurredOrNoisyCopyIsNone) {
  cv::Mat a(480, 640, CV_32F), coarse(480, 640, CV_32F), blurred, noise(480, 640, CV_8U), noisy;
  cv::RNG random(5);
  for (cv::Mat* const image : {&a, &coarse}) random.fill(*image, cv::RNG::UNIFORM, 0, 1);
  cv::GaussianBlur(a, a, {}, 2);
  cv::GaussianBlur(coarse, coarse, {}, 24);
  cv::normalize(a, a, 0, 100, cv::NORM_MINMAX);
  cv::normalize(coarse, coarse, 0, 100, cv::NORM_MINMAX);
  a += coarse;
  a.convertTo(a, CV_8U);
  cv::GaussianBlur(a, blurred, {}, 8);
  random.fill(noise, cv::RNG::NORMAL, 100, 40);
  cv::addWeighted(a, 0.7, noise, 1, 0, noisy);
  for (const cv::Mat& b : {blurred, noisy}) {
    EXPECT_LT(share_alike_in_place(a, b), 0.3);
    EXPECT_GT(share_alike_in_place(a, b, 64), 0.8);
    EXPECT_FALSE(is_overlay(inliers(60, 20), a, b));
    EXPECT_TRUE(is_watermark(inliers(60, 20).pairs, inliers(60, 20).marks, a, b, true));
  }
}

TEST(Watermark, WhatMovesIsNone) {
  cv::Mat a = scene(1), b = scene(2);
  write_caption(a);
  write_caption(b);
  EXPECT_NEAR(share_standing_still(inliers(20, 60).pairs, inliers(20, 60).marks), 0.25, 1e-9);
  EXPECT_FALSE(is_overlay(inliers(20, 60), a, b));
  EXPECT_FALSE(is_overlay(inliers(60, 20), a, b(cv::Rect(0, 0, 640, 400))));
  EXPECT_FALSE(is_overlay(inliers(0, 0), a, b));
}

TEST(Watermark, AnyDepthGivesTheSame) {
  cv::Mat a = scene(1), b = scene(2), deep_a, deep_b, float_a, float_b;
  write_watermarks(a);
  write_watermarks(b);
  a.convertTo(deep_a, CV_16U, 257);
  b.convertTo(deep_b, CV_16U, 257);
  a.convertTo(float_a, CV_32F, 1 / 255.0);
  b.convertTo(float_b, CV_32F, 1 / 255.0);
  const double share = share_alike_in_place(a, b);
  EXPECT_NEAR(share_alike_in_place(deep_a, deep_b), share, 0.01);
  EXPECT_NEAR(share_alike_in_place(float_a, float_b), share, 0.01);
  EXPECT_EQ(share_alike_in_place(cv::Mat(480, 640, CV_8U, 90), cv::Mat(480, 640, CV_8U, 40)), 1);
}

}  // namespace
}  // namespace octavo::planes
