// Planes that are seen from so far aside that plain features do not align them, and images that have nothing in common.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <opencv2/core.hpp>

#include "engine/selftest/images.h"
#include "multiview/align/common_frame.h"
#include "multiview/align/made_pairs.h"
#include "multiview/align/proposals.h"
#include "octavo/image.h"
#include "octavo/multiview/align.h"

namespace octavo {
namespace {

// The plane of A turned by `angle`, compressed `tilt` times along x and seen in perspective.
cv::Matx33d seen_from_aside(double angle, double tilt) {
  const double c = std::cos(angle), s = std::sin(angle);
  const cv::Matx33d centred(1, 0, -300, 0, 1, -225, 0, 0, 1), turned(c, -s, 0, s, c, 0, 0, 0, 1);
  const cv::Matx33d tilted(1 / tilt, 0, 0, 0, 1, 0, 3e-4, 1e-4, 1), back(1, 0, 150, 0, 1, 260, 0, 0, 1);
  return back * tilted * turned * centred;
}

TEST(AlignAnew, FindsPlanesSeenFromAside) {
  const Image a = images::blobs(600, 450);
  for (const double tilt : {6.0, 9.0}) {
    const cv::Matx33d h = seen_from_aside(0.6, tilt);
    const Image b = drawn_by(a, h, {300, 520});
    const Alignment plain = plain_alignment(a, b);
    const Alignment found = align_anew(plain, a.view(), b.view(), {.device = {.name = "cpu"}});
    EXPECT_FALSE(plain.homography.found && plain.warnings.empty());
    ASSERT_TRUE(found.homography.found) << tilt;
    EXPECT_NE(found.views, Views::none);
    EXPECT_TRUE(found.retried);
    EXPECT_TRUE(found.warnings.empty()) << found.warnings.front().sentence;
    EXPECT_EQ(found.homography.inliers.size(), found.matches.size());
    const cv::Matx33d estimate(found.homography.b_from_a.data());
    for (const auto& [x, y] :
         {std::pair(150.0, 120.0), {450.0, 120.0}, {300.0, 225.0}, {150.0, 330.0}, {450.0, 330.0}}) {
      const cv::Vec3d p = h * cv::Vec3d(x, y, 1), q = estimate * cv::Vec3d(x, y, 1);
      EXPECT_NEAR(p[0] / p[2], q[0] / q[2], 1) << tilt;
      EXPECT_NEAR(p[1] / p[2], q[1] / q[2], 1) << tilt;
    }
  }
}

// Each image is the coarser one in a direction, so that neither has the details of the other.
TEST(AlignAnew, FindsPlanesThatBothSeeFromAside) {
  const Image plane = images::blobs(600, 450);
  const cv::Matx33d to_a = seen_from_aside(0.2, 4), to_b = seen_from_aside(1.6, 4), h = to_b * to_a.inv();
  const Image a = drawn_by(plane, to_a, {300, 520}), b = drawn_by(plane, to_b, {300, 600});
  const Alignment found = align_anew(plain_alignment(a, b), a.view(), b.view(), {.device = {.name = "cpu"}});
  ASSERT_TRUE(found.homography.found);
  EXPECT_TRUE(found.warnings.empty()) << found.warnings.front().sentence;
  for (const auto& [x, y] : {std::pair(200.0, 150.0), {300.0, 225.0}, {400.0, 300.0}}) {
    const cv::Vec3d in_a = to_a * cv::Vec3d(x, y, 1), p = h * in_a;
    const cv::Vec3d q = cv::Matx33d(found.homography.b_from_a.data()) * in_a;
    EXPECT_NEAR(p[0] / p[2], q[0] / q[2], 1);
    EXPECT_NEAR(p[1] / p[2], q[1] / q[2], 1);
  }
}

TEST(CommonFrame, IsAsCoarseAsTheCoarserImageInEveryDirection) {
  const planes::Polygon part{{0, 0}, {100, 0}, {100, 80}, {0, 80}};
  // B is turned by a quarter; there A's x is 4 times as long and A's y a third as long.
  const cv::Matx33d b_from_a(0, -1.0 / 3, 500, 4, 0, 20, 0, 0, 1);
  const std::optional<CommonFrame> frame = common_frame(b_from_a, part);
  ASSERT_TRUE(frame);
  EXPECT_NEAR(cv::norm(frame->from_a * cv::Vec3d(1, 0, 0)), 1, 1e-9);
  EXPECT_NEAR(cv::norm(frame->from_a * cv::Vec3d(0, 1, 0)), 1.0 / 3, 1e-9);
  EXPECT_NEAR(cv::norm(frame->from_b * cv::Vec3d(0, 1, 0)), 1.0 / 4, 1e-9);
  EXPECT_NEAR(cv::norm(frame->from_b * cv::Vec3d(1, 0, 0)), 1, 1e-9);
  EXPECT_NEAR(frame->part[2].y, 80.0 / 3, 1e-9);
  // B is the coarser one in all directions, or as coarse.
  EXPECT_FALSE(common_frame({0.9, 0, 0, 0, 0.3, 0, 0, 0, 1}, part));
  EXPECT_FALSE(common_frame(cv::Matx33d::eye(), part));
}

TEST(AlignAnew, FindsThemInLargeImages) {
  const Image a = images::blobs(600, 450);
  const cv::Matx33d h = seen_from_aside(0.6, 6);
  const Image b = drawn_by(a, h, {300, 520});
  const cv::Matx33d larger(3, 0, 1, 0, 3, 1, 0, 0, 1);
  const Image large_a = drawn_by(a, larger, {1800, 1350}), large_b = drawn_by(b, larger, {900, 1560});
  const Alignment plain = plain_alignment(large_a, large_b);
  const Alignment found = align_anew(plain, large_a.view(), large_b.view(), {.device = {.name = "cpu"}});
  ASSERT_TRUE(found.homography.found);
  EXPECT_NE(found.views, Views::none);
  const cv::Vec3d p = larger * h * larger.inv() * cv::Vec3d(900, 700, 1);
  const cv::Vec3d q = cv::Matx33d(found.homography.b_from_a.data()) * cv::Vec3d(900, 700, 1);
  EXPECT_NEAR(p[0] / p[2], q[0] / q[2], 2);
  EXPECT_NEAR(p[1] / p[2], q[1] / q[2], 2);
}

TEST(AlignAnew, ConfirmsNothingForImagesThatHaveNothingInCommon) {
  const Image a = images::blobs(600, 450, PixelType::u8, 1, 3), b = images::blobs(600, 450, PixelType::u8, 1, 4);
  const Alignment found = align_anew(plain_alignment(a, b), a.view(), b.view(), {.device = {.name = "cpu"}});
  EXPECT_FALSE(found.homography.found);
}

TEST(AlignAnew, KeepsWhatIsSure) {
  const Image a = images::blobs(600, 450);
  const Alignment plain = plain_alignment(a, a);
  const Alignment found = align_anew(plain, a.view(), a.view(), {.device = {.name = "cpu"}});
  EXPECT_EQ(found.views, Views::none);
  EXPECT_FALSE(found.retried);
  EXPECT_EQ(found.matches, plain.matches);
}

// 12 right matches of ellipses among 300 wrong ones, which no sample of four would find.
TEST(ProposeHomographies, AFewRightMatchesAmongMany) {
  const cv::Matx33d h = seen_from_aside(0.6, 6);
  cv::RNG random(3);
  Features a, b;
  std::vector<Match> matches;
  const auto keypoint = [&](double x, double y) {
    return Keypoint{.x = float(x),
                    .y = float(y),
                    .scale = float(random.uniform(2.0, 8.0)),
                    .orientation = float(random.uniform(0.0, 6.2))};
  };
  for (int i = 0; i < 312; ++i) {
    Keypoint p = keypoint(random.uniform(50, 550), random.uniform(50, 400));
    Keypoint q = keypoint(random.uniform(0, 300), random.uniform(0, 500));
    if (i % 26 == 0) {
      const cv::Vec3d at = h * cv::Vec3d(p.x, p.y, 1);
      const double x = at[0] / at[2], y = at[1] / at[2];
      const cv::Matx22d jacobian((h(0, 0) - x * h(2, 0)) / at[2], (h(0, 1) - x * h(2, 1)) / at[2],
                                 (h(1, 0) - y * h(2, 0)) / at[2], (h(1, 1) - y * h(2, 1)) / at[2]);
      const cv::Matx22d frame = jacobian * cv::Matx22d(affine_matrix(p).data());
      q = {.x = float(x),
           .y = float(y),
           .scale = 1,
           .a11 = float(frame(0, 0)),
           .a12 = float(frame(0, 1)),
           .a21 = float(frame(1, 0)),
           .a22 = float(frame(1, 1))};
    }
    a.keypoints.push_back(p);
    b.keypoints.push_back(q);
    matches.push_back({i, i, std::uint32_t(1000 + i)});
  }
  const std::vector<Proposal> proposals = propose_homographies(a, b, matches, 3, 6);
  ASSERT_FALSE(proposals.empty());
  EXPECT_GE(proposals.front().places, 11);
  const cv::Matx33d found(proposals.front().b_from_a.data());
  const cv::Vec3d p = h * cv::Vec3d(300, 225, 1), q = found * cv::Vec3d(300, 225, 1);
  EXPECT_NEAR(p[0] / p[2], q[0] / q[2], 2);
  EXPECT_NEAR(p[1] / p[2], q[1] / q[2], 2);
  EXPECT_TRUE(propose_homographies(a, b, {}, 3, 6).empty());
}

}  // namespace
}  // namespace octavo
