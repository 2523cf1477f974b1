// Matches of images whose relation is known: keypoints that are put beside their true places must come back to them.

#include "octavo/multiview/geometry.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <random>
#include <vector>

#include "io/opencv/cv_mat.h"
#include "multiview/refine/template.h"
#include "octavo/error.h"

namespace octavo {
namespace {

constexpr int side = 240;

// Blurred noise: structure of some pixels everywhere.
cv::Mat texture(std::uint64_t seed) {
  cv::RNG random(seed);
  cv::Mat noise(side, side, CV_32F);
  random.fill(noise, cv::RNG::UNIFORM, 0, 1);
  cv::GaussianBlur(noise, noise, {}, 2);
  cv::normalize(noise, noise, 0.1, 0.9, cv::NORM_MINMAX);
  return noise;
}

// A turn by 8 degrees, an enlargement by 1.15 and a shear about the middle.
const cv::Matx23d b_from_a(1.139, -0.10, -4.3, 0.16, 1.11, -31.2);

cv::Point2d true_place(const Keypoint& a) {
  return {b_from_a(0, 0) * a.x + b_from_a(0, 1) * a.y + b_from_a(0, 2),
          b_from_a(1, 0) * a.x + b_from_a(1, 1) * a.y + b_from_a(1, 2)};
}

// Two images, keypoints of the first on a grid, and those of the second beside their true places.
struct Scene {
  cv::Mat a = texture(1), b;
  Features features_a, features_b;
  std::vector<Match> matches;

  Scene() {
    cv::warpAffine(a, b, b_from_a, a.size(), cv::INTER_CUBIC, cv::BORDER_REPLICATE);
    b = b * 0.7 + 0.1;  // another exposure
    std::mt19937 random(7);
    std::uniform_real_distribution<float> error(-0.6f, 0.6f);
    for (int y = 60; y <= 180; y += 12) {
      for (int x = 60; x <= 180; x += 12) {
        const Keypoint here{.x = static_cast<float>(x), .y = static_cast<float>(y), .scale = 3, .orientation = 0.5f};
        const cv::Point2d there = true_place(here);
        const auto i = static_cast<std::int32_t>(features_a.size());
        features_a.keypoints.push_back(here);
        features_b.keypoints.push_back({.x = static_cast<float>(there.x) + error(random),
                                        .y = static_cast<float>(there.y) + error(random),
                                        .scale = 3.3f,
                                        .orientation = 0.65f});
        matches.push_back({i, i, 0});
      }
    }
  }

  std::size_t refine() { return refine_matches(io::view_of(a), features_a, io::view_of(b), features_b, matches); }

  [[nodiscard]] double error(std::size_t i) const {
    const cv::Point2d there = true_place(features_a.keypoints[i]);
    return std::hypot(features_b.keypoints[i].x - there.x, features_b.keypoints[i].y - there.y);
  }
  [[nodiscard]] double mean_error() const {
    double sum = 0;
    for (std::size_t i = 0; i < matches.size(); ++i) sum += error(i);
    return sum / static_cast<double>(matches.size());
  }
};

TEST(RefineMatches, BringsKeypointsToTheirTruePlaces) {
  Scene scene;
  const Features before = scene.features_b;
  EXPECT_GT(scene.mean_error(), 0.3);
  EXPECT_GT(scene.refine(), scene.matches.size() * 9 / 10);
  EXPECT_LT(scene.mean_error(), 0.05);
  for (std::size_t i = 0; i < before.size(); ++i) {
    Keypoint moved = scene.features_b.keypoints[i];
    moved.x = before.keypoints[i].x;
    moved.y = before.keypoints[i].y;
    EXPECT_EQ(moved, before.keypoints[i]) << "all but the place stays";
  }
}

TEST(RefineMatches, WorksOnImagesOfEveryKind) {
  const Scene scene;
  for (const int depth : {CV_8U, CV_16U}) {
    for (const int channels : {1, 2, 3, 4}) {
      Scene other = scene;
      for (cv::Mat* const image : {&other.a, &other.b}) {
        image->convertTo(*image, depth, depth == CV_8U ? 255 : 65535);
        cv::Mat joined;
        cv::merge(std::vector<cv::Mat>(static_cast<std::size_t>(channels), *image), joined);
        *image = joined;
      }
      other.refine();
      EXPECT_LT(other.mean_error(), 0.06) << "depth " << depth << ", " << channels << " channels";
    }
  }
}

TEST(RefineMatches, DependsOnNoThreads) {
  Scene one, many;
  const int before = cv::getNumThreads();
  cv::setNumThreads(1);
  one.refine();
  cv::setNumThreads(8);
  many.refine();
  cv::setNumThreads(before);
  EXPECT_EQ(one.features_b, many.features_b);
}

TEST(RefineMatches, FollowsEllipses) {
  Scene scene;
  for (Keypoint& k : scene.features_a.keypoints) k.a11 = 4, k.a12 = 1, k.a21 = -1, k.a22 = 2;
  for (Keypoint& k : scene.features_b.keypoints) k.a11 = 4.6f, k.a12 = 0.9f, k.a21 = -0.5f, k.a22 = 2.4f;
  scene.refine();
  EXPECT_LT(scene.mean_error(), 0.1);
}

// What must not be moved.
enum class Kept { has_two_matches, has_no_scale, is_not_finite, is_far, shows_something_else, is_flat };

class KeptKeypoint : public testing::TestWithParam<Kept> {};

TEST_P(KeptKeypoint, StaysWhereItIs) {
  Scene scene;
  Keypoint& kept = scene.features_b.keypoints[0];
  switch (GetParam()) {
    case Kept::has_two_matches:
      scene.matches.push_back({1, 0, 0});
      break;
    case Kept::has_no_scale:
      kept.scale = 0;
      break;
    case Kept::is_not_finite:
      kept.x = kept.y = std::numeric_limits<float>::infinity();
      break;
    case Kept::is_far:
      kept.x += 20;
      break;
    case Kept::shows_something_else:
      scene.b = texture(2);
      break;
    case Kept::is_flat:
      scene.a.setTo(0.5);
      break;
  }
  const Keypoint before = kept;
  scene.refine();
  EXPECT_EQ(scene.features_b.keypoints[0], before);
}

INSTANTIATE_TEST_SUITE_P(All, KeptKeypoint,
                         testing::Values(Kept::has_two_matches, Kept::has_no_scale, Kept::is_not_finite, Kept::is_far,
                                         Kept::shows_something_else, Kept::is_flat));

TEST(RefineMatches, OfUnrelatedImagesMovesHardlyAny) {
  Scene scene;
  scene.b = texture(2);
  EXPECT_LT(scene.refine(), scene.matches.size() / 50);
}

TEST(RefineMatches, TakesKeypointsAtTheEdges) {
  Scene scene;
  for (Features* const features : {&scene.features_a, &scene.features_b}) {
    features->keypoints = {{.x = -0.4f, .y = -0.4f, .scale = 40}, {.x = side - 0.6f, .y = 3, .scale = 1}};
  }
  scene.matches = {{0, 0, 0}, {1, 1, 0}};
  EXPECT_LE(scene.refine(), 2U);
  const cv::Mat dot(1, 1, CV_8U, cv::Scalar(7));
  EXPECT_EQ(refine_matches(io::view_of(dot), scene.features_a, io::view_of(dot), scene.features_b, scene.matches), 0U);
}

TEST(RefineMatches, RefusesFloatsThatExtractionRefuses) {
  Scene scene;
  scene.a *= 255;
  EXPECT_THROW(scene.refine(), Error);
}

TEST(RefineMatches, RefusesMatchesOfNoKeypoint) {
  Scene scene;
  scene.matches.push_back({0, static_cast<std::int32_t>(scene.features_b.size()), 0});
  EXPECT_THROW(scene.refine(), Error);
}

}  // namespace
}  // namespace octavo
