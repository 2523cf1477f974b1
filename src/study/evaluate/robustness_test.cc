// Scenes made of photographs have a known truth. The saved images are a data set with the same pairs.

#include "study/evaluate/robustness.h"
#include "io/files/output_file.h"
#include "study/evaluate/known_view.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "engine/core/test_folder.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"
#include "study/evaluate/dataset.h"

namespace octavo {
namespace {

class Robustness : public testing::Test {
 protected:
  void SetUp() override {
    make_folder(folder_ / "other");
    Image image(120, 100, 1, PixelType::u8);
    for (int y = 0; y < 100; ++y) {
      for (int x = 0; x < 120; ++x) image.row(y)[x] = static_cast<std::byte>((x * y) % 251);
    }
    for (const char* name : {"photo.png", "other/photo.png"}) write_image(folder_ / name, image.view());
  }

  [[nodiscard]] ImageFile photo() const { return {folder_ / "photo.png", "photo.png"}; }

  const TestFolder folder_;
};

bool same_pixels(const Image& a, const Image& b) {
  if (a.width() != b.width() || a.height() != b.height() || a.channels() != b.channels()) return false;
  for (int y = 0; y < a.height(); ++y) {
    if (std::memcmp(a.row(y), b.row(y), static_cast<std::size_t>(a.width() * a.channels())) != 0) return false;
  }
  return true;
}

TEST_F(Robustness, HasASceneForEachDistortion) {
  const DistortedScenes made = distorted_scenes(std::vector{photo()});
  ASSERT_EQ(made.scenes.size(), distortions().size());
  for (std::size_t i = 0; i < made.scenes.size(); ++i) {
    const Distortion& distortion = distortions()[i];
    EXPECT_EQ(made.origins[i].distortion, &distortion);
    EXPECT_EQ(made.origins[i].photograph, folder_ / "photo.png");
    EXPECT_EQ(made.scenes[i].name, (distortion.moves ? "v_photo_" : "i_photo_") + std::string(distortion.name));
    EXPECT_EQ(made.scenes[i].others.size(), distortion.strengths.size());
  }
}

TEST_F(Robustness, ImagesAreThoseOfDistort) {
  const RobustnessOptions options{.distortions = {"noise", "rotation"}, .noise_seed = 5};
  const DistortedScenes made = distorted_scenes(std::vector{photo()}, options);
  ASSERT_EQ(made.scenes.size(), 2u);
  EXPECT_EQ(made.scenes[0].name, "v_photo_rotation");  // in the order of the distortions
  const Image original = read_image(folder_ / "photo.png");
  EXPECT_TRUE(same_pixels(made.scenes[1].first(), original));
  const Distorted expected = distort(original.view(), "noise", made.origins[1].distortion->strengths[2], 5);
  const KnownView view = made.scenes[1].others[2].view();
  EXPECT_TRUE(same_pixels(view.image, expected.image));
  EXPECT_EQ(std::get<TrueHomography>(view.truth).b_from_a, expected.b_from_a);
  EXPECT_EQ(made.scenes[1].others[2].name.path, "i_photo_noise/4.png");
  EXPECT_EQ(made.scenes[1].others[0].name.label, "'" + (folder_ / "photo.png").string() + "', noise 2");
}

TEST_F(Robustness, SavesADataSetWithTheSamePairs) {
  const RobustnessOptions options{.distortions = {"contrast"}, .images = folder_ / "saved"};
  const DistortedScenes made = distorted_scenes(std::vector{photo()}, options);
  std::vector<Image> images;
  made.scenes[0].first();
  for (const KnownScene::Other& other : made.scenes[0].others) images.push_back(other.view().image);
  const Dataset dataset = find_dataset(folder_ / "saved");
  EXPECT_TRUE(dataset.problems.empty());
  const std::vector<KnownScene> scenes = scenes_of(dataset, folder_ / "saved");
  ASSERT_EQ(scenes.size(), 1u);
  ASSERT_EQ(scenes[0].others.size(), images.size());
  EXPECT_TRUE(same_pixels(scenes[0].first(), made.scenes[0].first()));
  for (std::size_t i = 0; i < images.size(); ++i) EXPECT_TRUE(same_pixels(scenes[0].others[i].view().image, images[i]));
}

TEST_F(Robustness, ReportsAPhotographThatCannotBeReadOnce) {
  const std::vector<ImageFile> photographs{{folder_ / "none.png", "none.png"}, photo()};
  const DistortedScenes made = distorted_scenes(photographs);
  EXPECT_EQ(made.scenes.size(), distortions().size());
  ASSERT_EQ(made.problems.size(), 1u);
  EXPECT_NE(made.problems[0].find("none.png"), std::string::npos);
}

TEST_F(Robustness, RefusesScenesOfOneNameAndUnknownDistortions) {
  const std::vector<ImageFile> twins{photo(), {folder_ / "other" / "photo.png", "photo.png"}};
  EXPECT_THROW(distorted_scenes(twins), Error);
  EXPECT_THROW(distorted_scenes(std::vector{photo()}, {.distortions = {"earthquake"}}), Error);
}

TEST_F(Robustness, FindsThePairsOfAStrength) {
  const RobustnessOptions options{.distortions = {"noise", "blur"}};
  const DistortedScenes made = distorted_scenes(std::vector{photo()}, options);
  Comparison comparison;
  for (std::size_t s = 0; s < made.scenes.size(); ++s) {
    for (const std::size_t i : {0u, 2u}) comparison.pairs.push_back({.scene = s, .other = i, .scores = {}});
  }
  EXPECT_EQ(pairs_at(comparison, made, *made.origins[1].distortion, 2), (std::vector<std::size_t>{3}));
  EXPECT_TRUE(pairs_at(comparison, made, *made.origins[1].distortion, 1).empty());
}

}  // namespace
}  // namespace octavo
