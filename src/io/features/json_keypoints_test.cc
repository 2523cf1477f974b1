// Keypoints from files without descriptors, and descriptions in files.

#include <gtest/gtest.h>

#include "io/images/test_images.h"
#include "io/json/json.h"
#include "octavo/error.h"
#include "octavo/io/feature_files.h"

namespace octavo {
namespace {

using namespace io::test;

std::vector<Keypoint> json_keypoints(const std::string& text) {
  return decode_json_keypoints(std::as_bytes(std::span(text)), "k.json");
}

std::string refusal(const std::string& text) {
  try {
    json_keypoints(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::file_error);
    return error.what();
  }
  return "no error";
}

Description some_description() {
  Description description;
  for (std::size_t i = 0; i < 3; ++i) {
    description.features.keypoints.push_back({.x = 1.25f * static_cast<float>(i),
                                              .y = 7,
                                              .scale = 2.1f,
                                              .orientation = 0.7f,
                                              .response = 0.03f,
                                              .octave = -1,
                                              .layer = 2});
    description.inputs.push_back(i / 2 + 1);
  }
  description.features.descriptors.assign(3 * descriptor_length, 9);
  description.left_out = {{0, NotDescribed::outside}, {3, NotDescribed::scale_too_large}};
  return description;
}

using KeypointFiles = FolderTest;

TEST(JsonKeypoints, OfAnExtractionAreTheSame) {
  const Features features = some_description().features;
  std::vector<Keypoint> expected = features.keypoints;
  for (Keypoint& k : expected) k.octave = k.layer = 0;  // JSON of an extraction does not tell them
  const std::string text = json_features("a.png", features);
  EXPECT_EQ(json_keypoints(text), expected);
  EXPECT_EQ(json_keypoints("[" + text + "]"), expected);
}

TEST(JsonKeypoints, OfADescriptionHaveTheirLevels) {
  const Description description = some_description();
  const std::string text = json_description("a.png", description, 1.5);
  EXPECT_EQ(json_keypoints(text), description.features.keypoints);
  const auto document = parse_json(text);
  EXPECT_EQ(document["keypoints"][2]["input"], 2);
  EXPECT_EQ(document["left_out"][1]["input"], 3);
  EXPECT_EQ(document["left_out"][0]["reason"], "lies outside the image");
  EXPECT_EQ(document["seconds"], 1.5);
}

TEST(JsonKeypoints, NeedAPlaceAndAScale) {
  EXPECT_EQ(json_keypoints(R"({"keypoints": [{"x": 1, "y": -2.5, "scale": 3, "colour": "red"}]})"),
            (std::vector<Keypoint>{{.x = 1, .y = -2.5f, .scale = 3}}));
  EXPECT_TRUE(json_keypoints(R"({"keypoints": []})").empty());
  for (const auto& [text, why] : {std::pair{"", "it is not JSON"},
                                  {R"({"keypoints": [)", "it is not JSON"},
                                  {R"({"keypoints": [{"x": 1e999}]})", "it is not JSON"},
                                  {"7", "it must be an object with a list \"keypoints\""},
                                  {R"({"keypoints": 3})", "it must be an object with a list \"keypoints\""},
                                  {"[]", "it is a list of 0 images"},
                                  {R"({"keypoints": [{"x": 1, "y": 2}]})", "keypoint 0 has no \"scale\""},
                                  {R"({"keypoints": [[1, 2, 3]]})", "keypoint 0 is not an object"},
                                  {R"({"keypoints": [{"x": null, "y": 2, "scale": 3}]})", "\"x\" of keypoint 0 is not"},
                                  {R"({"keypoints": [{"x": 1e39, "y": 2, "scale": 3}]})", "beyond the range of floats"},
                                  {R"({"keypoints": [{"x": 1, "y": 2, "scale": 3, "octave": 4294967296}]})",
                                   "\"octave\" of keypoint 0 is not a whole number of 32 bits"},
                                  {R"({"keypoints": [{"x": 1, "y": 2, "scale": 3, "octave": 18446744073709551615}]})",
                                   "\"octave\" of keypoint 0 is not a whole number of 32 bits"}}) {
    const std::string sentence = refusal(text);
    EXPECT_NE(sentence.find("cannot read 'k.json': "), std::string::npos) << sentence;
    EXPECT_NE(sentence.find(why), std::string::npos) << sentence;
  }
}

TEST_F(KeypointFiles, DescriptionsAreFeatureFiles) {
  const Description description = some_description();
  write_description(folder_ / "a.npz", description);
  write_description(folder_ / "a.txt", description);
  EXPECT_EQ(read_features(folder_ / "a.npz"), description.features);
  EXPECT_EQ(read_keypoints(folder_ / "a.npz"), description.features.keypoints);
  EXPECT_EQ(read_features(folder_ / "a.txt").descriptors, description.features.descriptors);
  EXPECT_EQ(read_keypoints(folder_ / "a.txt").size(), 3u);
  EXPECT_THROW(write_description(folder_ / "a.json", description), Error);
  EXPECT_THROW(read_keypoints(folder_ / "a.csv"), Error);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a.json"));
}

}  // namespace
}  // namespace octavo
