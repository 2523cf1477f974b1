// Corners against labelled corners: files, one-to-one matches, shares, and what is reported as a problem.

#include "study/evaluate/corner_truth.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "engine/core/test_folder.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

TEST(ScoreCorners, MatchesOneToOneAndTheNearestFirst) {
  const std::vector<Point> labelled{{10, 10}, {13, 10}, {50, 50}, {90, 90}};
  const std::vector<Point> detected{{12, 10}, {54, 50}, {94.5, 90}, {200, 200}};
  const CornerScores scores = score_corners(labelled, detected);
  EXPECT_EQ(scores.matched, 2u);  // (13, 10) with (12, 10), (50, 50) with (54, 50), which is just within 4
  EXPECT_DOUBLE_EQ(scores.squared_distance, 17);
  EXPECT_EQ(scores.missed(), 2u);
  EXPECT_EQ(scores.false_corners(), 2u);
  EXPECT_DOUBLE_EQ(*scores.precision(), 0.5);
  EXPECT_DOUBLE_EQ(*scores.recall(), 0.5);
  EXPECT_DOUBLE_EQ(*scores.localisation_error(), std::sqrt(8.5));
  EXPECT_EQ(score_corners(labelled, detected, 5).matched, 3u);
}

TEST(ScoreCorners, HasNoSharesOfNothing) {
  const CornerScores none = score_corners({}, {});
  EXPECT_FALSE(none.precision() || none.recall() || none.localisation_error());
  CornerScores sum = score_corners(std::vector<Point>{{1, 1}}, {});
  EXPECT_EQ(sum.recall(), 0);
  sum += score_corners({}, std::vector<Point>{{1, 1}, {2, 2}});
  EXPECT_EQ(sum.precision(), 0);
  EXPECT_EQ(sum.detected, 2u);
  EXPECT_EQ(sum.labelled, 1u);
}

TEST(PlacesOf, CountsOrientationsOnce) {
  Features features;
  for (const auto& [x, y] : {std::pair{3.F, 4.F}, {3.F, 4.F}, {4.F, 3.F}}) {
    Keypoint keypoint{};
    keypoint.x = x;
    keypoint.y = y;
    features.keypoints.push_back(keypoint);
  }
  EXPECT_EQ(places_of(features).size(), 2u);
}

class LabelledImages : public testing::Test {
 protected:
  LabelledImages() { fs::create_directory(root_ / "deep"); }

  void write(const std::string& name, const std::string& text) { root_.write(name, text); }
  void draw(const std::string& name) {
    Image image(64, 48, 1, PixelType::u8);
    for (int y = 0; y < 48; ++y) std::fill_n(image.row(y), 64, std::byte{7});
    write_image(root_ / name, image.view());
  }

  const TestFolder root_;
};

TEST_F(LabelledImages, AreFoundAtAnyDepth) {
  draw("b.png");
  draw("deep/a.png");
  draw("unlabelled.png");
  write("b.corners.txt", "# x y\n1 2\n\n3.5,4\n");
  write("deep/a.corners.txt", "");
  write("alone.corners.txt", "1 2\n");
  write("deep/broken.corners.txt", "1 2 3\n");
  draw("deep/broken.png");
  const CornerDataset dataset = find_labelled_images(root_.path);
  ASSERT_EQ(dataset.images.size(), 2u);
  EXPECT_EQ(dataset.images[0].image, "b.png");
  ASSERT_EQ(dataset.images[0].corners.size(), 2u);
  EXPECT_EQ(dataset.images[0].corners[1].x, 3.5);
  EXPECT_EQ(dataset.images[1].image, fs::path("deep/a.png"));
  EXPECT_TRUE(dataset.images[1].corners.empty());
  ASSERT_EQ(dataset.problems.size(), 2u);
  EXPECT_NE(dataset.problems[0].find("alone.corners.txt' lies beside 0 images"), std::string::npos);
  EXPECT_NE(dataset.problems[1].find("line 1 holds 3 numbers, x and y are needed"), std::string::npos);
}

TEST_F(LabelledImages, MustExist) {
  EXPECT_THROW(find_labelled_images(root_.path), Error);
  EXPECT_THROW(find_labelled_images(root_ / "no"), Error);
}

TEST_F(LabelledImages, ReportLabelsOutsideAndCompareTheRest) {
  draw("a.png");
  draw("b.png");
  write("a.corners.txt", "5 6\n");
  write("b.corners.txt", "5 6\n64 3\n");
  const auto find = [](const ImageView&, const ImageView*, const ImageName&) {
    Features features;
    Keypoint keypoint{};
    keypoint.x = 5;
    keypoint.y = 7;
    features.keypoints.push_back(keypoint);
    return features;
  };
  std::vector<Pipeline> pipelines;
  pipelines.emplace_back("one", find);
  const CornerComparison comparison = compare_corners(find_labelled_images(root_.path), root_.path, pipelines);
  ASSERT_EQ(comparison.images.size(), 1u);
  EXPECT_EQ(comparison.images[0].scores[0].matched, 1u);
  EXPECT_EQ(comparison.images[0].scores[0].localisation_error(), 1);
  ASSERT_EQ(comparison.problems.size(), 1u);
  EXPECT_NE(comparison.problems[0].find("corner 2 (64, 3) lies outside of the image of 64x48"), std::string::npos);
  EXPECT_THROW(compare_corners(find_labelled_images(root_.path), root_.path, pipelines, {.tolerance = 0}), Error);
}

}  // namespace
}  // namespace octavo
