// COLMAP's text of features, as Octavo and others write it, and as it must not be.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "io/files/output_file.h"
#include "io/images/test_images.h"
#include "octavo/error.h"
#include "octavo/io/feature_files.h"

namespace octavo {
namespace {

using namespace io::test;

Features decode(const std::string& text) { return decode_colmap_features(std::as_bytes(std::span(text)), "a.txt"); }

std::string line_of(const std::string& keypoint, const std::string& number = "7") {
  std::string line = keypoint;
  for (int i = 0; i < 128; ++i) line += " " + number;
  return line + "\n";
}

TEST(ColmapReader, ReadsWhatIsWritten) {
  Features features;
  for (int i = 0; i < 50; ++i) {
    const auto f = static_cast<float>(i);
    // Sixteenths: the half pixel is added and taken off without rounding.
    features.keypoints.push_back({.x = f * 1.0625f, .y = 800 - f, .scale = 1.6f + f / 7, .orientation = f / 9});
    for (int j = 0; j < 128; ++j) features.descriptors.push_back(static_cast<std::uint8_t>(i * 31 + j * 2));
  }
  EXPECT_EQ(decode(colmap_features("a.txt", features)), features);
  EXPECT_EQ(decode(colmap_features("a.txt", {})), Features());
}

TEST(ColmapReader, TheOriginIsTheCornerOfTheFirstPixel) {
  const Features features = decode("1 128\n" + line_of("0.5 100.5 2.5 1.5"));
  ASSERT_EQ(features.size(), 1u);
  EXPECT_EQ(features.keypoints[0], (Keypoint{.x = 0, .y = 100, .scale = 2.5f, .orientation = 1.5f}));
  EXPECT_EQ(features.descriptors, std::vector<std::uint8_t>(128, 7));
}

TEST(ColmapReader, SixColumnsAreAnEllipse) {
  const Features features = decode("1 128\n" + line_of("0.5 100.5 0 -8 2 3"));
  ASSERT_EQ(features.size(), 1u);
  const Keypoint& k = features.keypoints[0];
  EXPECT_EQ(affine_matrix(k), (std::array<double, 4>{0, -8, 2, 3}));
  EXPECT_FLOAT_EQ(k.scale, 4);
  EXPECT_FLOAT_EQ(k.orientation, 1.5707963f);
  EXPECT_EQ(features.descriptors, std::vector<std::uint8_t>(128, 7));
}

TEST(ColmapReader, ReadsWhatOtherProgramsWrite) {
  const std::string line = "1.5e+01\t-2.25 1 0" + line_of("", "12.0");
  const Features features = decode("1 128\r\n" + line.substr(0, line.size() - 1) + " \r\n\n  \n");
  ASSERT_EQ(features.size(), 1u);
  EXPECT_EQ(features.keypoints[0].x, 14.5f);
  EXPECT_EQ(features.keypoints[0].y, -2.75f);
  EXPECT_EQ(features.descriptors[127], 12);
  const std::string text = "1 128\n" + line_of("1 2 3 4");
  EXPECT_EQ(decode(text.substr(0, text.size() - 1)).size(), 1u) << "the last line has no end";
}

TEST(ColmapReader, SaysWhichLineIsWrong) {
  const std::string good = line_of("1 2 3 4");
  const std::vector<std::pair<std::string, std::string>> files{
      {"", "it is empty"},
      {"keypoints", "line 1 must be \"N 128\""},
      {"2", "line 1 must be"},
      {"-1 128\n", "line 1 must be"},
      {"2 128 1\n", "line 1 must be"},
      {"1 64\n", "line 1 tells of descriptors of 64 numbers"},
      {"28000000 128\n", "line 1 tells of 28000000 keypoints, but there must be at most"},
      {"99999999999999999999999 128\n", "line 1 must be"},
      {"2 128\n" + good, "it is truncated: line 1 tells of 2 keypoints, but there are 1"},
      {"20000000 128\n" + good, "it is truncated"},
      {"1 128\n" + good + "\n" + good, "line 4 is one too many"},
      {"2 128\n" + good + "1 2 3 4 5\n", "line 3 has 5 numbers, but must have 132"},
      {"1 128\n" + line_of("1 2 3 4 5"), "line 2 has 133 numbers"},
      {"2 128\n\n" + good, "line 2 has 0 numbers"},
      {"1 128\n" + line_of("1 2 nan 4"), "line 2 holds 'nan'"},
      {"1 128\n" + line_of("1 inf 3 4"), "line 2 holds 'inf'"},
      {"1 128\n" + line_of("1e40 2 3 4"), "line 2 holds '1e40'"},
      {"1 128\n" + line_of("1,5 2 3 4"), "line 2 holds '1,5'"},
      {"1 128\n" + line_of("1 2 3 " + std::string(100, 'x')), "line 2 holds '" + std::string(40, 'x') + "…'"},
      {"1 128\n" + line_of("1 2 3 4", "256"), "line 2 describes its keypoint by '256'"},
      {"1 128\n" + line_of("1 2 3 4", "-1"), "line 2 describes its keypoint by '-1'"},
      {"1 128\n" + line_of("1 2 3 4", "0.5"), "whole numbers from 0 to 255"}};
  for (const auto& [text, sentence] : files) {
    try {
      decode(text);
      ADD_FAILURE() << sentence;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::file_error);
      EXPECT_EQ(std::string(error.what()).find("cannot read 'a.txt': "), 0u) << error.what();
      EXPECT_NE(std::string(error.what()).find(sentence), std::string::npos) << error.what() << " / " << sentence;
    }
  }
}

using FeaturesByEnding = FolderTest;

TEST_F(FeaturesByEnding, AreReadFromEitherFormat) {
  Features features{.keypoints = {{.x = 1, .y = 2, .scale = 3, .orientation = 4}}, .descriptors = {}};
  features.descriptors.assign(128, 9);
  write_colmap_features(folder_ / "a.png.TXT", features);
  write_npz_features(folder_ / "a.npz", features);
  EXPECT_EQ(read_features(folder_ / "a.png.TXT"), features);
  EXPECT_EQ(read_features(folder_ / "a.npz"), features);
  EXPECT_TRUE(looks_like_features("x/a.NPZ") && looks_like_features("a.txt"));
  EXPECT_FALSE(looks_like_features("a.png") || looks_like_features("npz") || looks_like_features("a.npz/b"));
  EXPECT_THROW(read_features(folder_ / "a.png"), Error);
}

}  // namespace
}  // namespace octavo
