// Which pairs are shown, and that their matches are those that the comparison counted.

#include "study/evaluate/match_examples.h"
#include "study/evaluate/known_view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "octavo/error.h"

namespace octavo {
namespace {

const DeviceOptions samples_on_cpu{.name = "cpu", .threads = 1};
constexpr int features_per_image = 8;  // features of an image

Image blank_image(int width, int height) {
  Image image(width, height, 1, PixelType::u8);
  for (int y = 0; y < height; ++y) std::fill_n(image.row(y), width, std::byte{90});
  return image;
}

// Eight features. The i-th ones of two images match. In the image "…/n", n of them are where the truth wants them, and
// the others are 20 pixels off.
Features found_in(const ImageName& name) {
  const int right = std::stoi(name.path.filename().string());
  Features features;
  for (int i = 0; i < features_per_image; ++i) {
    const float off = i < right ? 0.0F : 20.0F;
    features.keypoints.push_back({.x = 100.0F + 50 * static_cast<float>(i), .y = 40 + off, .scale = 2, .response = 1});
    std::vector<std::uint8_t> descriptor(128, 0);
    descriptor[static_cast<std::size_t>(i)] = 255;
    features.descriptors.insert(features.descriptors.end(), descriptor.begin(), descriptor.end());
  }
  return features;
}

// A scene of 900 × 300 pixels with one other image for each number of right matches.
KnownScene scene_of(const std::vector<int>& right) {
  KnownScene scene{
      .name = "s", .first_name = {"s/8", "'s/8'"}, .first = [] { return blank_image(900, 300); }, .others = {}};
  for (const int n : right) {
    const std::string file = "s/" + std::to_string(n);
    scene.others.push_back({{file, file}, [] {
                              return KnownView{blank_image(900, 300), TrueHomography{{1, 0, 0, 0, 1, 0, 0, 0, 1}}};
                            }});
  }
  return scene;
}

std::vector<Pipeline> one_pipeline() {
  std::vector<Pipeline> pipelines;
  pipelines.emplace_back(
      "one", [](const ImageView&, const ImageView*, const ImageName& name) { return found_in(name); }, 0,
      MatchOptions{}, samples_on_cpu);
  return pipelines;
}

TEST(MatchExamples, AreTheBestTheMedianAndTheWorst) {
  const std::vector<KnownScene> scenes{scene_of({4, 2, 7, 1, 5})};
  std::vector<Pipeline> pipelines = one_pipeline();
  const Comparison comparison = compare(scenes, pipelines);
  ASSERT_EQ(comparison.pairs.size(), 5U);
  const auto pairs = [&](std::size_t wanted) {
    std::vector<std::size_t> all;
    for (const MatchExample& example : match_examples(comparison, scenes, pipelines, {.examples = wanted})) {
      all.push_back(example.pair);
    }
    return all;
  };
  EXPECT_EQ(pairs(3), (std::vector<std::size_t>{2, 0, 3}));
  EXPECT_EQ(pairs(1), (std::vector<std::size_t>{0}));
  EXPECT_EQ(pairs(2), (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(pairs(9), (std::vector<std::size_t>{2, 4, 0, 1, 3}));
  EXPECT_TRUE(pairs(0).empty());
}

TEST(MatchExamples, HaveTheMatchesThatWereCounted) {
  const std::vector<KnownScene> scenes{scene_of({3})};
  std::vector<Pipeline> pipelines = one_pipeline();
  const Comparison comparison = compare(scenes, pipelines);
  const std::vector<MatchExample> examples = match_examples(comparison, scenes, pipelines);
  ASSERT_EQ(examples.size(), 1U);
  EXPECT_EQ(examples[0].size_a.width, 900);
  EXPECT_EQ(examples[0].a.width(), 640);
  EXPECT_EQ(examples[0].a.height(), 213);
  const std::vector<JudgedMatch>& matches = examples[0].matches.at(0);
  const PairScores& scores = comparison.pairs[0].scores[0];
  ASSERT_EQ(static_cast<int>(matches.size()), scores.matches);
  const auto right =
      std::count_if(matches.begin(), matches.end(), [](const JudgedMatch& m) { return m.error <= correct_within; });
  EXPECT_EQ(right, scores.correct[correct_within - 1]);
  EXPECT_EQ(matches[5].a.x, 350);
  EXPECT_EQ(matches[5].error, 20);
}

TEST(MatchExamples, TellWhichPairIsNext) {
  const std::vector<KnownScene> scenes{scene_of({4, 2, 7})};
  std::vector<Pipeline> pipelines = one_pipeline();
  const Comparison comparison = compare(scenes, pipelines);
  std::vector<std::string> told;
  const auto progress = [&](std::size_t done, std::size_t total, const ImageName& next) {
    told.push_back(std::to_string(done) + "/" + std::to_string(total) + " " + next.path.string());
  };
  match_examples(comparison, scenes, pipelines, {.examples = 2, .progress = progress});
  EXPECT_EQ(told, (std::vector<std::string>{"0/2 s/7", "1/2 s/2"}));
}

TEST(MatchExamples, RefuseOtherPipelines) {
  const std::vector<KnownScene> scenes{scene_of({3})};
  std::vector<Pipeline> pipelines = one_pipeline();
  const Comparison comparison = compare(scenes, pipelines);
  EXPECT_THROW(match_examples(comparison, scenes, {}), Error);
}

}  // namespace
}  // namespace octavo
