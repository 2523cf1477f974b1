// Why pictures are in no model, and what page and JSON tell.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "io/json/json.h"
#include "multiview/sfm/match_graph.h"
#include "multiview/sfm/model_numbers.h"
#include "octavo/error.h"
#include "octavo/multiview/sfm.h"

namespace octavo {
namespace {

SfmPictureResult picture(const std::string& name, std::uint64_t keypoints) {
  SfmPictureResult made;
  made.name = name;
  made.keypoints = keypoints;
  return made;
}

TEST(SfmResult, SaysWhyPicturesAreInNoModel) {
  std::vector<SfmPictureResult> pictures;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g"}) pictures.push_back(picture(name, 100));
  pictures.push_back(picture("h", 0));
  pictures[0].model = pictures[1].model = 0;
  const std::vector<SfmPair> pairs{
      {0, 1, 90, 80}, {1, 2, 60, least_inliers}, {3, 4, 50, 40}, {0, 5, 30, least_inliers - 1}};
  sfm::count_pairs(pictures, pairs);
  sfm::explain_failures(pictures, pairs);
  EXPECT_EQ(pictures[0].matched, 2U);
  EXPECT_EQ(pictures[0].verified, 1U);
  EXPECT_EQ(pictures[1].best_inliers, 80U);
  std::vector<SfmFailure> failures;
  for (const SfmPictureResult& one : pictures) failures.push_back(one.failure);
  EXPECT_EQ(failures,
            (std::vector<SfmFailure>{SfmFailure::none, SfmFailure::none, SfmFailure::not_registered,
                                     SfmFailure::not_connected, SfmFailure::not_connected, SfmFailure::few_inliers,
                                     SfmFailure::no_matches, SfmFailure::no_keypoints}));
  EXPECT_NE(sentence_of(pictures[5]).find("14 verified matches, and 15 are needed"), std::string::npos);
  EXPECT_EQ(sentence_of(pictures[0]), "");
}

// The data of a page.
Json data_of(const std::string& page) {
  const std::string open = "id=\"data\">";
  const std::size_t begin = page.find(open) + open.size();
  return parse_json(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(SfmResult, PageAndJsonHaveItsNumbers) {
  SfmResult result;
  result.photographs = "/photos";
  result.models.resize(1);
  result.models[0].model = read_sfm_model(std::string(OCTAVO_SFM_MODELS) + "/binary");
  for (const auto& [id, one] : result.models[0].model.pictures) result.pictures.push_back(picture(one.name, 12));
  std::ranges::sort(result.pictures, {}, &SfmPictureResult::name);
  result.pairs = {{0, 1, 12, 12}};
  sfm::measure_models(result.models, result.pictures);
  EXPECT_EQ(result.registered(), 3U);
  const Json json = parse_json(json_of(result));
  EXPECT_EQ(json["registered"], 3);
  EXPECT_EQ(json["models"][0]["points"], 12);
  EXPECT_EQ(json["pictures"][0]["points"], 12);
  EXPECT_TRUE(json["pictures"][0]["failure"].is_null());
  EXPECT_EQ(json["pairs"][0]["inliers"], 12);

  const Json whole = data_of(page_of(result));
  EXPECT_EQ(whole["report"], json);
  EXPECT_EQ(whole["spaces"][0]["points"]["count"], 12);
  EXPECT_EQ(whole["spaces"][0]["cameras"].size(), 3U);
  const Json few = data_of(page_of(result, 5));
  EXPECT_EQ(few["spaces"][0]["points"]["count"], 5);
  EXPECT_EQ(few, data_of(page_of(result, 5)));
}

}  // namespace
}  // namespace octavo
