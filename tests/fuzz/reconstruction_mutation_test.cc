// Damaged files that other programs for structure from motion write: models of COLMAP, features and matches of hloc.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "engine/core/test_folder.h"
#include "io/features/hloc.h"
#include "octavo/multiview/sfm.h"
#include "tests/fuzz/damaged_files.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

/// A model in one of its two forms, one of whose files is damaged.
class Model {
 public:
  explicit Model(const std::string& form) {
    fs::copy(fs::path(OCTAVO_SFM_MODELS) / form, folder_.path);
    for (const auto& entry : fs::directory_iterator(folder_.path)) {
      originals_.push_back({entry.path().filename().string(), text_of(entry.path())});
    }
    std::sort(originals_.begin(), originals_.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  }

  [[nodiscard]] const std::vector<Original>& originals() const { return originals_; }

  bool read(const std::string& bytes, const std::string& name) const {
    for (const Original& original : originals_) {
      std::ofstream(folder_ / original.name, std::ios::binary)
          << (name.starts_with(original.name) ? bytes : original.bytes);
    }
    return decodes(folder_.path.string(), [&] {
      const SfmModel model = read_sfm_model(folder_.path);
      for (const auto& [id, image] : model.images) {
        ASSERT_TRUE(model.cameras.contains(image.camera)) << name;
        for (const double number : camera_centre(image)) ASSERT_TRUE(std::isfinite(number)) << name;
        for (const auto& [other, point] : model.points) {
          project(model.cameras.at(image.camera), in_camera(image, point.place));
        }
      }
    });
  }

 private:
  const TestFolder folder_;
  std::vector<Original> originals_;
};

class ModelMutation : public testing::TestWithParam<const char*> {};

TEST_P(ModelMutation, DamagedModelsAreModelsOrErrors) {
  const Model model(GetParam());
  ASSERT_EQ(model.originals().size(), 3U);
  const Count count = read_damaged(model.originals(), 1000, [&](const std::string& bytes, const std::string& name) {
    return model.read(bytes, name);
  });
  expect_both(count);
}

INSTANTIATE_TEST_SUITE_P(Forms, ModelMutation, testing::Values("binary", "text"),
                         [](const auto& form) { return std::string(form.param); });

Features features_of(std::size_t count) {
  Features features;
  for (std::size_t i = 0; i < count; ++i) {
    features.keypoints.push_back({.x = static_cast<float>(i), .y = 2, .scale = 3, .response = 0.5F});
    for (std::size_t k = 0; k < descriptor_length; ++k)
      features.descriptors.push_back(static_cast<std::uint8_t>(i + k));
  }
  return features;
}

TEST(HlocMutation, DamagedFilesAreFeaturesAndMatchesOrErrors) {
  const TestFolder folder;
  const fs::path features = folder / "features.h5", matches = folder / "matches.h5", damaged = folder / "damaged.h5";
  HlocFeaturesWriter feature_writer(features);
  feature_writer.write("a.jpg", features_of(5), {640, 480}, "of a");
  feature_writer.write("b/c.jpg", features_of(3), {64, 48}, "of c");
  feature_writer.finish();
  HlocMatchesWriter match_writer(matches);
  match_writer.write("a.jpg", "b/c.jpg", 5, std::array<Match, 2>{{{0, 2, 100}, {4, 0, 20000}}});
  match_writer.finish();

  const std::vector<Original> originals{{"features", text_of(features)}, {"matches", text_of(matches)}};
  const Count count = read_damaged(originals, 400, [&](const std::string& bytes, const std::string& name) {
    std::ofstream(damaged, std::ios::binary | std::ios::trunc) << bytes;
    return decodes(damaged.string(), [&] {
      if (name.starts_with("matches")) {
        for (const Match& match : read_hloc_matches(damaged, "a.jpg", "b/c.jpg"))
          EXPECT_TRUE(match.a >= 0 && match.b >= 0);
        return;
      }
      const HlocFeatures file(damaged);
      for (const std::string& image : file.names()) {
        const Features found = file.read(image);
        EXPECT_EQ(found.descriptors.size(), found.size() * descriptor_length) << name;
        static_cast<void>(file.note(image));
      }
    });
  });
  expect_both(count);
}

}  // namespace
}  // namespace octavo
