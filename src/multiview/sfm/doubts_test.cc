// What is doubtful of models, and why there is none.

#include "multiview/sfm/doubts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace octavo::sfm {
namespace {

// Whether the doubts are one sentence with these words.
testing::AssertionResult is_one(const std::vector<std::string>& doubts, const std::string& words) {
  if (doubts.size() == 1 && doubts.front().find(words) != std::string::npos) return testing::AssertionSuccess();
  testing::AssertionResult failure = testing::AssertionFailure() << doubts.size() << " doubts";
  for (const std::string& doubt : doubts) failure << ": " << doubt;
  return failure;
}

SfmPair pair(std::size_t a, std::size_t b, std::uint64_t inliers, bool is_homography) {
  return {.a = a, .b = b, .matches = inliers, .inliers = inliers, .is_homography = is_homography};
}

TEST(Doubts, PairsAreJudgedByTheirVerifiedMatches) {
  EXPECT_TRUE(are_without_depth(std::vector{pair(0, 1, 900, true), pair(1, 2, 100, false)}));
  EXPECT_FALSE(are_without_depth(std::vector{pair(0, 1, 899, true), pair(1, 2, 101, false)}));
  EXPECT_FALSE(are_without_depth(std::vector{pair(0, 1, least_inliers - 1, true)})) << "the mapper does not use it";
  EXPECT_FALSE(are_without_depth({}));
  EXPECT_EQ(lack_of_depth(std::vector{pair(0, 1, 100, false)}), "");
  const std::string reason = lack_of_depth(std::vector{pair(0, 1, 950, true), pair(1, 2, 50, false)});
  EXPECT_TRUE(is_one({reason}, "95 % of the verified matches"));
  EXPECT_TRUE(is_one({reason}, "octavo mosaic"));
}

// A model of the images a, b and c, with points whose depth is `relief` of their width.
SfmModelResult made_model(double relief) {
  SfmModelResult made{.folder = "sparse/0", .model = {}, .error_bins = {}, .track_lengths = {}};
  for (std::uint32_t id = 1; id <= 3; ++id) {
    made.model.cameras[id] = {.model = "SIMPLE_RADIAL", .width = 800, .height = 600, .parameters = {900, 400, 300, 0}};
    made.model.images[id] = {.name = std::string(1, static_cast<char>('a' + id - 1)), .camera = id};
  }
  for (std::uint64_t id = 0; id < 100; ++id) {
    const auto number = static_cast<double>(id);
    made.model.points[id].place = {std::sin(number), std::cos(1.7 * number), relief * std::sin(2.3 * number)};
  }
  return made;
}

class ModelDoubts : public testing::Test {
 protected:
  ModelDoubts() {
    for (const char* name : {"a", "b", "c", "other"}) images.emplace_back().name = name;
  }
  [[nodiscard]] std::vector<std::string> of(const SfmModelResult& model) const {
    return doubts_of(model, images, pairs);
  }

  std::vector<SfmImageResult> images;
  std::vector<SfmPair> pairs{pair(0, 1, 100, false), pair(1, 2, 100, false)};
};

TEST_F(ModelDoubts, NoneOfASceneWithDepth) { EXPECT_TRUE(of(made_model(0.2)).empty()); }

TEST_F(ModelDoubts, FocalLengthsThatNoLensHas) {
  for (const double length : {2.3, 79.0, 8001.0, std::nan("")}) {
    SfmModelResult model = made_model(0.2);
    model.model.cameras[2].parameters[0] = length;
    EXPECT_TRUE(is_one(of(model), "model 0: the focal lengths of 1 of 3 cameras")) << length;
    EXPECT_TRUE(is_one(of(model), "'b'")) << length;
  }
  for (const double length : {80.0, 8000.0}) {
    SfmModelResult model = made_model(0.2);
    model.model.cameras[2].parameters[0] = length;
    EXPECT_TRUE(of(model).empty()) << length;
  }
}

TEST_F(ModelDoubts, ASecondFocalLengthAndTheFirstImageOfACameraAreTold) {
  SfmModelResult model = made_model(0.2);
  model.model.cameras[1] = {.model = "PINHOLE", .width = 600, .height = 800, .parameters = {900, 9, 300, 400}};
  model.model.images[3].camera = 1;
  EXPECT_TRUE(is_one(of(model), "'a' 900 × 9 pixels;"));
}

TEST_F(ModelDoubts, DistortionThatNoLensHas) {
  for (const double term : {3.3, -1.1, std::nan("")}) {
    SfmModelResult model = made_model(0.2);
    model.model.cameras[3].parameters[3] = term;
    EXPECT_TRUE(is_one(of(model), "model 0: the numbers of the distortion of 1 of 3 cameras")) << term;
    EXPECT_TRUE(is_one(of(model), "'c'")) << term;
  }
  SfmModelResult model = made_model(0.2);
  model.model.cameras[1].parameters[3] = -0.9;
  model.model.cameras[2] = {
      .model = "FULL_OPENCV", .width = 800, .height = 600, .parameters = {900, 900, 400, 300, 5, 0, 0, 0, 0, 5, 0, 0}};
  EXPECT_TRUE(of(model).empty()) << "numerator and denominator may be large";
}

TEST_F(ModelDoubts, PairsOfTheModelThatShowNoDepth) {
  pairs = {pair(0, 1, 100, true), pair(1, 2, 100, true), pair(2, 3, 900, false)};
  EXPECT_TRUE(is_one(of(made_model(0.2)), "model 0: 100 % of the verified matches"));
  EXPECT_TRUE(is_one(of(made_model(0)), "homography")) << "one sentence says it";
}

TEST_F(ModelDoubts, PointsOnAPlane) {
  EXPECT_TRUE(is_one(of(made_model(0.001)), "model 0: its points lie on a plane"));
}

}  // namespace
}  // namespace octavo::sfm
