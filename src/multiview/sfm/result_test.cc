// Why images are in no model, and what page and JSON tell.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "engine/core/test_folder.h"
#include "io/json/json.h"
#include "multiview/sfm/match_graph.h"
#include "multiview/sfm/model_numbers.h"
#include "octavo/error.h"
#include "octavo/multiview/sfm.h"

namespace octavo {
namespace {

SfmImageResult image(const std::string& name, std::uint64_t keypoints) {
  SfmImageResult made;
  made.name = name;
  made.keypoints = keypoints;
  return made;
}

TEST(SfmResult, SaysWhyImagesAreInNoModel) {
  std::vector<SfmImageResult> images;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g"}) images.push_back(image(name, 100));
  images.push_back(image("h", 0));
  images[0].model = images[1].model = 0;
  const std::vector<SfmPair> pairs{
      {0, 1, 90, 80}, {1, 2, 60, least_inliers}, {3, 4, 50, 40}, {0, 5, 30, least_inliers - 1}};
  sfm::count_pairs(images, pairs);
  sfm::explain_failures(images, pairs);
  EXPECT_EQ(images[0].matched, 2U);
  EXPECT_EQ(images[0].verified, 1U);
  EXPECT_EQ(images[1].best_inliers, 80U);
  std::vector<SfmFailure> failures;
  for (const SfmImageResult& one : images) failures.push_back(one.failure);
  EXPECT_EQ(failures,
            (std::vector<SfmFailure>{SfmFailure::none, SfmFailure::none, SfmFailure::not_registered,
                                     SfmFailure::not_connected, SfmFailure::not_connected, SfmFailure::few_inliers,
                                     SfmFailure::no_matches, SfmFailure::no_keypoints}));
  EXPECT_NE(sentence_of(images[5]).find("14 verified matches, and 15 are needed"), std::string::npos);
  EXPECT_EQ(sentence_of(images[0]), "");
}

TEST(SfmResult, SaysThatPairsWithoutAModelShowNoDepth) {
  std::vector<SfmImageResult> images;
  for (const char* name : {"a", "b", "c", "d"}) images.push_back(image(name, 100));
  const std::vector<SfmPair> pairs{{0, 1, 990, 980, true}, {1, 2, 90, 80}, {2, 3, 60, 40}};
  const auto failures = [&] {
    sfm::explain_failures(images, pairs);
    std::vector<SfmFailure> found;
    for (const SfmImageResult& one : images) found.push_back(one.failure);
    return found;
  };
  sfm::count_pairs(images, pairs);
  using enum SfmFailure;
  EXPECT_EQ(failures(), (std::vector{no_depth, no_depth, not_registered, not_registered}));
  images[2].model = 0;
  EXPECT_EQ(failures(), (std::vector{not_registered, not_registered, none, not_registered})) << "there is a model";
}

TEST(SfmResult, ModelsHavePoints) {
  const TestFolder folder;
  const std::filesystem::path files = std::filesystem::path(OCTAVO_SFM_MODELS) / "text";
  for (const char* name : {"0", "1"}) std::filesystem::copy(files, folder.path / name);
  std::ofstream(folder.path / "0" / "points3D.txt") << "# none\n";
  {
    std::ifstream before(files / "images.txt");
    std::ofstream without(folder.path / "0" / "images.txt");
    for (std::string line; std::getline(before, line);) {
      if (line.starts_with('#')) continue;
      without << line << "\n\n";
      std::getline(before, line);  // the observations
    }
  }
  EXPECT_EQ(read_sfm_model(folder.path / "0").images.size(), 3U);
  const std::vector<SfmModelResult> found = sfm::read_models(folder.path);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().folder, folder.path / "1");
}

// The data of a page.
Json data_of(const std::string& page) {
  const std::string open = "id=\"data\">";
  const std::size_t begin = page.find(open) + open.size();
  return parse_json(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(SfmResult, PageAndJsonHaveItsNumbers) {
  SfmResult result;
  result.photographs = "/home/me/photos";
  result.folder = "/home/me/model";
  result.problems = {"/home/me/photos/a.jpg: it is cut off"};
  result.models.resize(1);
  result.models[0].model = read_sfm_model(std::string(OCTAVO_SFM_MODELS) + "/binary");
  for (const auto& [id, one] : result.models[0].model.images) result.images.push_back(image(one.name, 12));
  std::ranges::sort(result.images, {}, &SfmImageResult::name);
  result.pairs = {{0, 1, 12, 12}};
  sfm::measure_models(result.models, result.images);
  EXPECT_EQ(result.registered(), 3U);
  const Json json = parse_json(json_of(result));
  EXPECT_EQ(json["registered_image_count"], 3);
  EXPECT_EQ(json["models"][0]["point_count"], 12);
  EXPECT_EQ(json["images"][0]["point_count"], 12);
  EXPECT_TRUE(json["images"][0]["failure"].is_null());
  EXPECT_EQ(json["pairs"][0]["inlier_count"], 12);

  const Json whole = data_of(page_of(result));
  EXPECT_EQ(whole["report"]["images"], json["images"]);
  EXPECT_EQ(whole["report"]["folder"], "photos") << "a page is given to others";
  EXPECT_EQ(whole["report"]["problems"][0], "photos/a.jpg: it is cut off");
  EXPECT_EQ(whole["spaces"][0]["points"]["count"], 12);
  EXPECT_EQ(whole["spaces"][0]["cameras"].size(), 3U);
  const Json few = data_of(page_of(result, 5));
  EXPECT_EQ(few["spaces"][0]["points"]["count"], 5);
  EXPECT_EQ(few, data_of(page_of(result, 5)));
}

}  // namespace
}  // namespace octavo
