// The experiment counts a match as correct within 4 pixels of its true place, in x and in y.

#include "study/evaluate/crops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "engine/core/test_folder.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"
#include "study/evaluate/crop_examples.h"
#include "study/evaluate/distort.h"

namespace octavo {
namespace {

class Crops : public testing::Test {
 protected:
  void SetUp() override {
    Image image(121, 90, 1, PixelType::u8);
    for (int y = 0; y < 90; ++y) {
      for (int x = 0; x < 121; ++x) image.row(y)[x] = static_cast<std::byte>((7 * x + 31 * y) % 251);
    }
    write_image(folder_ / "photo.png", image.view());
  }

  [[nodiscard]] ImageFile photo() const { return {folder_ / "photo.png", "photo.png"}; }

  const TestFolder folder_;
};

// The descriptor of keypoint i: far from those of the others.
void add(Features& features, float x, float y, std::size_t i) {
  features.keypoints.push_back({.x = x, .y = y});
  std::vector<std::uint8_t> descriptor(128);
  descriptor[i] = 200;
  features.descriptors.insert(features.descriptors.end(), descriptor.begin(), descriptor.end());
}

// A finder that knows the images by their width: in a crop of 40 pixels four keypoints at (10, 20), in the photograph
// the same moved by the place of the crop, and by an error of its own each.
Pipeline with_errors() {
  constexpr float left = 40, top = 30;  // (121 − 40) / 2 and (90 − 30) / 2, rounded down
  const auto find = [=](const ImageView& image, const ImageView*, const ImageName&) {
    constexpr float errors[][2] = {{0, 0}, {4, -4}, {4.01F, 0}, {0, -4.01F}};
    Features features;
    for (std::size_t i = 0; i < 4; ++i) {
      const bool is_crop = image.width == 40;
      add(features, is_crop ? 10 : 10 + left + errors[i][0], is_crop ? 20 : 20 + top + errors[i][1], i);
    }
    if (image.width != 40) add(features, 1, 1, 4);
    return features;
  };
  return {"known", find};
}

TEST_F(Crops, AMatchIsRightWithinFourPixelsInXAndY) {
  std::vector<Pipeline> pipelines;
  pipelines.push_back(with_errors());
  const CropOptions options{.crop_sizes = {{40, 30}}, .changes = {{"clean", 0}, {"noise", 5}}};
  const CropComparison comparison = compare_crops(std::vector{photo()}, pipelines, options);
  EXPECT_TRUE(comparison.problems.empty());
  ASSERT_EQ(comparison.pairs.size(), 2u);
  for (const CroppedPair& pair : comparison.pairs) {
    EXPECT_EQ(pair.left, 40);
    EXPECT_EQ(pair.top, 30);
    EXPECT_EQ(pair.photograph_size, (ImageSize{121, 90}));
    ASSERT_EQ(pair.scores.size(), 1u);
    EXPECT_EQ(pair.scores[0].keypoints_crop, 4);
    EXPECT_EQ(pair.scores[0].keypoints_photograph, 5);
    EXPECT_EQ(pair.scores[0].matches, 4);
    EXPECT_EQ(pair.scores[0].correct, 2);
  }
  const CropTotals totals = crop_totals(comparison, 0, 1);
  EXPECT_EQ(totals.photographs, 1);
  EXPECT_EQ(totals.correct, 2);
  EXPECT_EQ(precision(totals), 0.5);
  EXPECT_EQ(precision(CropTotals()), 0);
}

TEST_F(Crops, TheCropIsTheCentreAndChangesAreThoseOfDistort) {
  const Image whole = read_image(photo().file);
  const Image crop = crop_of(photo(), {{40, 30}, {"clean", 0}});
  ASSERT_EQ(crop.width(), 40);
  ASSERT_EQ(crop.height(), 30);
  for (int y = 0; y < 30; ++y) EXPECT_EQ(std::memcmp(crop.row(y), whole.row(y + 30) + 40, 40), 0);
  const Image noisy = crop_of(photo(), {{40, 30}, {"noise", 15}}, {.noise_seed = 3});
  const Image expected = distort(crop.view(), "noise", 15, 3).image;
  for (int y = 0; y < 30; ++y) EXPECT_EQ(std::memcmp(noisy.row(y), expected.row(y), 40), 0);
}

TEST_F(Crops, PhotographsAreReducedToTheLongestSide) {
  std::vector<Pipeline> pipelines;
  pipelines.push_back(with_errors());
  const CropOptions options{.crop_sizes = {{20, 20}}, .changes = {{"clean", 0}}, .size = 60};
  const CropComparison comparison = compare_crops(std::vector{photo()}, pipelines, options);
  ASSERT_EQ(comparison.pairs.size(), 1u);
  EXPECT_EQ(comparison.pairs[0].photograph_size, (ImageSize{60, 45}));
}

TEST_F(Crops, AnExampleHasTheMatchesOfThePairWithTheMedianOfRightOnes) {
  std::vector<Pipeline> pipelines;
  pipelines.push_back(with_errors());
  const std::vector<ImageFile> photographs(3, photo());
  const CropOptions options{.crop_sizes = {{40, 30}}, .changes = {{"clean", 0}, {"noise", 5}}};
  CropComparison comparison = compare_crops(photographs, pipelines, options);
  for (CroppedPair& pair : comparison.pairs) pair.scores[0].correct = pair.photograph == 1 ? 9 : 2;
  comparison.pairs[2].scores[0].correct = 3;  // the clean crop of the second photograph is the median
  comparison.pairs[4].scores[0].correct = 5;
  const std::vector<MatchExample> examples = crop_examples(comparison, photographs, pipelines, options, 1);
  ASSERT_EQ(examples.size(), 2u) << "one of each case";
  EXPECT_EQ(examples[0].pair, 2u);
  EXPECT_EQ(examples[0].rank, 1u);
  EXPECT_EQ(examples[0].ranked, 3u);
  EXPECT_EQ(examples[0].size_a, (ImageSize{40, 30}));
  EXPECT_EQ(examples[0].size_b, (ImageSize{121, 90}));
  ASSERT_EQ(examples[0].matches.size(), 1u);
  ASSERT_EQ(examples[0].matches[0].size(), 4u);
  std::vector<double> errors;
  for (const JudgedMatch& match : examples[0].matches[0]) errors.push_back(match.error);
  std::sort(errors.begin(), errors.end());
  EXPECT_EQ(errors[0], 0);
  EXPECT_NEAR(errors[1], 4, 1e-5) << "the larger of the errors in x and in y";
  EXPECT_NEAR(errors[3], 4.01, 1e-5);
  EXPECT_EQ(crop_examples(comparison, photographs, pipelines, options, 9).size(), 6u);
  EXPECT_TRUE(crop_examples(comparison, photographs, pipelines, options, 0).empty());
}

TEST_F(Crops, ReportsEachPhotographThatCannotBeUsedOnce) {
  std::vector<Pipeline> pipelines;
  pipelines.push_back(with_errors());
  const std::vector<ImageFile> photographs{{folder_ / "none.png", "none.png"}, photo()};
  const CropOptions options{.crop_sizes = {{40, 91}, {40, 30}}};
  const CropComparison comparison = compare_crops(photographs, pipelines, options);
  ASSERT_EQ(comparison.problems.size(), 2u);
  EXPECT_NE(comparison.problems[0].find("none.png"), std::string::npos);
  EXPECT_NE(comparison.problems[1].find("121 × 90 pixels is smaller than the crop of 40 × 91"), std::string::npos);
  EXPECT_EQ(comparison.pairs.size(), default_crop_changes().size());
  EXPECT_EQ(crop_totals(comparison, 0, 0).photographs, 0);
}

TEST_F(Crops, TellsItsProgress) {
  std::vector<Pipeline> pipelines;
  pipelines.push_back(with_errors());
  std::vector<std::string> told;
  const CropOptions options{.crop_sizes = {{40, 30}},
                            .changes = {{"clean", 0}, {"jpeg", 50}},
                            .progress = [&](std::size_t done, std::size_t total, const std::string& next) {
                              EXPECT_EQ(total, 3u);
                              EXPECT_EQ(done, told.size());
                              told.push_back(next);
                            }};
  compare_crops(std::vector{photo()}, pipelines, options);
  ASSERT_EQ(told.size(), 3u);
  EXPECT_NE(told[2].find("photo.png', crop 40x30, jpeg 50"), std::string::npos);
}

TEST(CropChanges, AreReadFromWords) {
  EXPECT_EQ(crop_change("clean"), CropChange());
  EXPECT_EQ(crop_change("contrast:0.5"), (CropChange{"contrast", 0.5}));
  EXPECT_EQ(label_of(crop_change("noise:15")), "noise 15");
  for (const CropChange& change : default_crop_changes()) {
    if (change == CropChange()) continue;
    EXPECT_EQ(crop_change(change.name + ":" + std::to_string(change.strength)), change);
  }
  for (const char* word :
       {"", "clean:1", "noise", "noise:", "noise:x", "noise:15x", "noise:256", "noise:nan", "rotation:90", "fog:1"}) {
    try {
      crop_change(word);
      ADD_FAILURE() << word << " was taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_option);
      EXPECT_EQ(error.option(), "changes") << error.what();
    }
  }
}

TEST(CropChanges, AndSizesAreChecked) {
  EXPECT_NO_THROW(validate(CropOptions()));
  EXPECT_THROW(validate(CropOptions{.crop_sizes = {}}), Error);
  EXPECT_THROW(validate(CropOptions{.crop_sizes = {{15, 100}}}), Error);
  EXPECT_THROW(validate(CropOptions{.changes = {}}), Error);
  EXPECT_THROW(validate(CropOptions{.changes = {{"rotation", 90}}}), Error);
  EXPECT_THROW(validate(CropOptions{.size = 15}), Error);
}

}  // namespace
}  // namespace octavo
