// An image and its mirror image, which is also turned, smaller or large, and the retry's other cases beside it.

#include "multiview/align/mirrored.h"

#include <gtest/gtest.h>

#include <cmath>
#include <opencv2/imgproc.hpp>
#include <utility>

#include "engine/selftest/images.h"
#include "io/opencv/cv_mat.h"
#include "multiview/align/made_pairs.h"
#include "octavo/image.h"

namespace octavo {
namespace {

using Kind = AlignmentWarning::Kind;

void expect_homography(const Alignment& found, const cv::Matx33d& h) {
  ASSERT_TRUE(found.homography.found);
  const cv::Matx33d estimate(found.homography.b_from_a.data());
  for (const auto& [x, y] : {std::pair(60.0, 60.0), {540.0, 60.0}, {300.0, 225.0}, {60.0, 390.0}, {540.0, 390.0}}) {
    const cv::Vec3d p = h * cv::Vec3d(x, y, 1), q = estimate * cv::Vec3d(x, y, 1);
    EXPECT_NEAR(p[0] / p[2], q[0] / q[2], 0.5);
    EXPECT_NEAR(p[1] / p[2], q[1] / q[2], 0.5);
  }
}

const cv::Matx33d left_and_right(-1, 0, 599, 0, 1, 0, 0, 0, 1);

TEST(AlignMirrored, IsWhatARetryFindsOfAMirrorImage) {
  const Image a = images::blobs(600, 450);
  const cv::Matx33d upside_down(1, 0, 0, 0, -1, 449, 0, 0, 1), turned(0.5, -0.6, 290, 0.6, 0.5, 20, 1e-4, -1e-4, 1);
  for (const cv::Matx33d& h : {left_and_right, upside_down, turned * left_and_right}) {
    const Image b = drawn_by(a, h, {600, 600});
    const Alignment found = align_anew(plain_alignment(a, b), a.view(), b.view(), {.device = {.name = "cpu"}});
    expect_homography(found, h);
    EXPECT_TRUE(found.retried);
    ASSERT_EQ(found.warnings.size(), 1u);
    EXPECT_EQ(found.warnings.front().kind, Kind::mirrored);
    const PointPairs pairs = point_pairs(found.a, found.b, found.matches);
    for (std::size_t i = 0; i < pairs.a.size(); ++i) {
      if (found.homography.inliers[i] == 0) continue;
      const cv::Vec3d q = cv::Matx33d(found.homography.b_from_a.data()) * cv::Vec3d(pairs.a[i].x, pairs.a[i].y, 1);
      EXPECT_LT(std::hypot(q[0] / q[2] - pairs.b[i].x, q[1] / q[2] - pairs.b[i].y), 3.01);
    }
  }
}

TEST(AlignMirrored, OfLargeImages) {
  const cv::Matx33d larger(3, 0, 1, 0, 3, 1, 0, 0, 1), h = larger * left_and_right * larger.inv();
  const Image a = drawn_by(images::blobs(600, 450), larger, {1800, 1350}), b = drawn_by(a, h, {1800, 1350});
  expect_homography(align_anew(plain_alignment(a, b), a.view(), b.view(), {.device = {.name = "cpu"}}), h);
}

TEST(AlignMirrored, IsNoneWhereNothingIsMirrored) {
  const Image a = images::blobs(600, 450, PixelType::u8, 1, 3), other = images::blobs(600, 450, PixelType::u8, 1, 4);
  const Image turned = drawn_by(a, {-1, 0, 599, 0, -1, 449, 0, 0, 1}, {600, 450});
  for (const Image* b : {&other, &turned}) {
    EXPECT_FALSE(align_mirrored(plain_alignment(a, *b), a.view(), b->view(), {.device = {.name = "cpu"}}, {}, {}));
  }
}

// Each half of A is the mirror image of the other, so that both ways fit as well.
TEST(AlignMirrored, ReplacesNoPlainOneOfASymmetricImage) {
  const Image half = images::blobs(300, 450);
  cv::Mat turned, whole;
  cv::flip(io::to_mat(half.view()), turned, 1);
  cv::hconcat(io::to_mat(half.view()), turned, whole);
  const Image a = io::to_image(whole), b = drawn_by(a, {0.9, -0.2, 60, 0.2, 0.9, 10, 0, 0, 1}, {640, 560});
  const Alignment plain = plain_alignment(a, b);
  ASSERT_TRUE(plain.homography.found);
  EXPECT_GT(cv::determinant(cv::Matx33d(plain.homography.b_from_a.data())), 0);
  const Alignment found = align_anew(plain, a.view(), b.view(), {.device = {.name = "cpu"}});
  EXPECT_EQ(found.homography.b_from_a, plain.homography.b_from_a);
}

}  // namespace
}  // namespace octavo
