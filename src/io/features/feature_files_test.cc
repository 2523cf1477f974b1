#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <sstream>

#include "io/images/test_images.h"
#include "io/json/json.h"
#include "octavo/error.h"
#include "octavo/io/feature_files.h"

namespace octavo {
namespace {

using namespace io::test;

Features some_features(int count) {
  Features features;
  for (int i = 0; i < count; ++i) {
    const auto f = static_cast<float>(i);
    features.keypoints.push_back({1.25f + f / 3, 2.5f * f, 1.6f + f / 7, std::fmod(f, 2 * std::numbers::pi_v<float>),
                                  0.04f / (1 + f), i % 5 - 1, 1 + i % 3});
    for (int j = 0; j < 128; ++j) features.descriptors.push_back(static_cast<std::uint8_t>(i * 31 + j * 2));
  }
  return features;
}

std::string text_of_file(const std::filesystem::path& file) {
  const auto bytes = bytes_of_file(file);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

using FeatureFiles = FolderTest;

TEST_F(FeatureFiles, ColmapReadsBackTheSameNumbers) {
  const Features features = some_features(40);
  write_colmap_features(folder_ / "a.txt", features);
  std::istringstream text(text_of_file(folder_ / "a.txt"));
  std::size_t count = 0, length = 0;
  text >> count >> length;
  ASSERT_EQ(count, 40u);
  ASSERT_EQ(length, 128u);
  for (std::size_t i = 0; i < count; ++i) {
    float x = 0, y = 0, scale = 0, orientation = 0;
    text >> x >> y >> scale >> orientation;
    const Keypoint& k = features.keypoints[i];
    EXPECT_EQ(x, k.x + 0.5f);
    EXPECT_EQ(y, k.y + 0.5f);
    EXPECT_EQ(scale, k.scale);
    EXPECT_EQ(orientation, k.orientation);
    for (const auto value : features.descriptor(i)) {
      int number = -1;
      text >> number;
      EXPECT_EQ(number, value);
    }
  }
  ASSERT_TRUE(text.good());
  std::string rest;
  text >> rest;
  EXPECT_EQ(rest, "");
}

TEST_F(FeatureFiles, NoFeaturesAreAFileToo) {
  write_colmap_features(folder_ / "a.txt", {});
  EXPECT_EQ(text_of_file(folder_ / "a.txt"), "0 128\n");
  write_npz_features(folder_ / "a.npz", {});
  EXPECT_NE(text_of_file(folder_ / "a.npz").find("'shape': (0, 128)"), std::string::npos);
}

std::uint32_t number_at(const std::string& bytes, std::size_t at, int size) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, static_cast<std::size_t>(size));
  return value;
}

/// The data of a member, located with the central directory, with its check sum verified.
std::string member(const std::string& zip, const std::string& name) {
  const std::size_t end = zip.size() - 22;
  EXPECT_EQ(number_at(zip, end, 4), 0x06054b50u);
  std::size_t at = number_at(zip, end + 16, 4);
  for (std::uint32_t i = 0; i < number_at(zip, end + 10, 2); ++i) {
    EXPECT_EQ(number_at(zip, at, 4), 0x02014b50u);
    const std::uint32_t size = number_at(zip, at + 24, 4), name_size = number_at(zip, at + 28, 2);
    if (zip.substr(at + 46, name_size) == name) {
      const std::size_t local = number_at(zip, at + 42, 4);
      EXPECT_EQ(number_at(zip, local, 4), 0x04034b50u);
      EXPECT_EQ(zip.substr(local + 30, name_size), name);
      std::string data = zip.substr(local + 30 + name_size, size);
      EXPECT_EQ(crc32(0, reinterpret_cast<const Bytef*>(data.data()), size), number_at(zip, at + 16, 4));
      return data;
    }
    at += 46 + name_size;
  }
  ADD_FAILURE() << name << " is not in the archive";
  return {};
}

template <class Number>
std::vector<Number> array_of(const std::string& npy, const std::string& description) {
  const std::size_t head = 10 + number_at(npy, 8, 2);
  EXPECT_EQ(npy.substr(0, 6), "\x93NUMPY");
  EXPECT_EQ(head % 64, 0u);
  EXPECT_EQ(npy[head - 1], '\n');
  EXPECT_NE(npy.find(description), std::string::npos) << npy.substr(10, head - 10);
  std::vector<Number> numbers((npy.size() - head) / sizeof(Number));
  std::memcpy(numbers.data(), npy.data() + head, npy.size() - head);
  return numbers;
}

TEST_F(FeatureFiles, NpzHoldsThreeArrays) {
  const Features features = some_features(17);
  write_npz_features(folder_ / "a.npz", features);
  const std::string zip = text_of_file(folder_ / "a.npz");
  const auto keypoints =
      array_of<float>(member(zip, "keypoints.npy"), "{'descr': '<f4', 'fortran_order': False, 'shape': (17, 5), }");
  const auto octave_layer = array_of<std::int32_t>(member(zip, "octave_layer.npy"), "'descr': '<i4'");
  const auto descriptors = array_of<std::uint8_t>(member(zip, "descriptors.npy"), "'shape': (17, 128)");
  ASSERT_EQ(keypoints.size(), 17u * 5);
  ASSERT_EQ(octave_layer.size(), 17u * 2);
  EXPECT_EQ(descriptors, features.descriptors);
  for (std::size_t i = 0; i < 17; ++i) {
    const Keypoint& k = features.keypoints[i];
    EXPECT_EQ(keypoints[5 * i], k.x);
    EXPECT_EQ(keypoints[5 * i + 1], k.y);
    EXPECT_EQ(keypoints[5 * i + 2], k.scale);
    EXPECT_EQ(keypoints[5 * i + 3], k.orientation);
    EXPECT_EQ(keypoints[5 * i + 4], k.response);
    EXPECT_EQ(octave_layer[2 * i], k.octave);
    EXPECT_EQ(octave_layer[2 * i + 1], k.layer);
  }
  write_npz_features(folder_ / "b.npz", features);
  EXPECT_EQ(text_of_file(folder_ / "b.npz"), zip) << "the same features must give the same bytes";
}

TEST(FeatureJson, HasTheKeysItPromises) {
  const Features features = some_features(3);
  const auto document = parse_json(json_features("a.png", features, 12.5));
  EXPECT_EQ(document.size(), 3u);
  EXPECT_EQ(document.at("image"), "a.png");
  EXPECT_EQ(document.at("seconds"), 12.5);
  ASSERT_EQ(document.at("keypoints").size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& k = document.at("keypoints")[i];
    EXPECT_EQ(k.size(), 5u);
    EXPECT_EQ(k.at("x").get<float>(), features.keypoints[i].x);
    EXPECT_EQ(k.at("y").get<float>(), features.keypoints[i].y);
    EXPECT_EQ(k.at("scale").get<float>(), features.keypoints[i].scale);
    EXPECT_EQ(k.at("orientation").get<float>(), features.keypoints[i].orientation);
    EXPECT_EQ(k.at("response").get<float>(), features.keypoints[i].response);
  }
}

TEST(FeatureJson, NamesMayBeAnyBytes) {
  const auto document = parse_json(json_features("a\xFF\"b", {}, 0));
  EXPECT_EQ(document.at("image"), "a\uFFFD\"b");
  EXPECT_TRUE(document.at("keypoints").is_array());
}

TEST_F(FeatureFiles, AMissingFolderIsAnErrorThatNamesTheFile) {
  for (const auto& write : {write_colmap_features, write_npz_features}) {
    try {
      write(folder_ / "none" / "a", some_features(1));
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::file_error);
      EXPECT_NE(std::string(error.what()).find("none/a"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace octavo
