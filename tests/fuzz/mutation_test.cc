// Damaged images, feature files, truth files, lists of pairs and manifests, for every reader of files.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <regex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/test_folder.h"
#include "io/images/mask.h"
#include "io/results/result_folder.h"
#include "octavo/io/collection.h"
#include "octavo/io/feature_files.h"
#include "octavo/io/image_files.h"
#include "octavo/io/image_formats.h"
#include "study/evaluate/corner_truth.h"
#include "study/evaluate/dataset.h"
#include "tests/fuzz/damaged_files.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> images() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(OCTAVO_TESTDATA)) {
    const fs::path ending = entry.path().extension();
    if (ending != ".py" && ending != ".npz") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool is_image(const std::string& bytes, const std::string& name) {
  return decodes(name, [&] {
    // The limit lets one file take no more than a fraction of a second.
    const Image image = decode_image(std::as_bytes(std::span(bytes)), name, {.max_pixels = 1 << 20});
    EXPECT_GE(image.width(), 1) << name;
    EXPECT_GE(image.height(), 1) << name;
    EXPECT_EQ(mask_of(image.view()).width(), image.width()) << name;
  });
}

TEST(Mutation, DamagedImagesAreImagesOrErrors) {
  const std::vector<fs::path> files = images();
  ASSERT_GT(files.size(), 50u);
  std::vector<Original> originals;
  for (const fs::path& file : files) originals.push_back({file.filename().string(), text_of(file)});
  originals.push_back({"text.pgm", "P2\n# comment\n4 3\n1023\n0 1 2 3\n4 5 6 7\n8 9 10 1023\n"});
  originals.push_back({"bytes.ppm", "P6 2 2 255\nabcdefghijkl"});
  for (const Original& original : originals) ASSERT_FALSE(original.bytes.empty()) << original.name;

  testing::internal::CaptureStderr();
  const Count count = read_damaged(originals, 300, is_image);
  // libde265 has no option against this line, which one of 100 000 damaged files brings (docs/image-formats.md).
  const std::string printed =
      std::regex_replace(testing::internal::GetCapturedStderr(), std::regex("SPS error: .*\n"), "");
  EXPECT_EQ(printed, "") << "the library never prints";
  // If the mutations broke no file, or every file at its first byte, this test would find nothing.
  expect_both(count);
}

TEST(Mutation, DamagedMetadataAreMetadataOrErrors) {
  const TestFolder folder;
  const fs::path testdata(OCTAVO_TESTDATA);
  // A profile's size, colours and signature are looked at; the rest of it is passed on.
  ImageMetadata metadata = read_metadata(testdata / "exif_6.jpg");
  metadata.xmp = "<x/>";
  metadata.icc.resize(1000);
  metadata.icc[2] = std::byte{3}, metadata.icc[3] = std::byte{0xE8};
  const auto put = [&](std::size_t at, std::string_view text) {
    std::ranges::transform(text, metadata.icc.begin() + static_cast<std::ptrdiff_t>(at),
                           [](char letter) { return std::byte(letter); });
  };
  put(12, "mntrRGB XYZ "), put(36, "acsp");
  std::vector<Original> originals;
  for (const char* const name : {"a.jpg", "a.png", "a.tif"}) {
    write_image(folder / name, read_image(testdata / "rgb8.png").view(), metadata);
    originals.push_back({name, text_of(folder / name)});
  }
  for (const char* const name : {"exif_6.webp", "rgb.heic"}) originals.push_back({name, text_of(testdata / name)});
  expect_both(read_damaged(originals, 300, [](const std::string& bytes, const std::string& name) {
    return decodes(
        name, [&] { EXPECT_LE(decode_metadata(std::as_bytes(std::span(bytes)), name).icc.size(), 10'000u) << name; });
  }));
}

Features three_features() {
  Features features;
  for (int i = 0; i < 3; ++i) features.keypoints.push_back({.x = 1.5f, .y = 2, .scale = 3, .octave = -1, .layer = 1});
  for (std::size_t i = 0; i < 3 * descriptor_length; ++i) features.descriptors.push_back(static_cast<std::uint8_t>(i));
  return features;
}

std::string npz_archive() {
  const std::vector<std::byte> bytes = encode_npz_features("octavo.npz", three_features());
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool is_features(const std::string& bytes, const std::string& name) {
  return decodes(name, [&] {
    const auto decode = name.starts_with("colmap") ? decode_colmap_features : decode_npz_features;
    const Features features = decode(std::as_bytes(std::span(bytes)), name);
    EXPECT_EQ(features.descriptors.size(), features.size() * descriptor_length) << name;
  });
}

bool is_keypoints(const std::string& bytes, const std::string& name) {
  return decodes(name, [&] {
    const auto decode = name.starts_with("json") ? decode_json_keypoints : decode_npz_keypoints;
    for (const Keypoint& k : decode(std::as_bytes(std::span(bytes)), name)) {
      EXPECT_TRUE(std::isfinite(k.x) && std::isfinite(k.y) && std::isfinite(k.scale)) << name;
    }
  });
}

TEST(Mutation, DamagedKeypointFilesAreKeypointsOrErrors) {
  const std::vector<Original> originals{{"octavo.npz", npz_archive()},
                                        {"json of an extraction", json_features("a.png", three_features())}};
  for (const Original& original : originals) ASSERT_TRUE(is_keypoints(original.bytes, original.name));
  const Count count = read_damaged(originals, 2000, is_keypoints);
  expect_both(count);
}

TEST(Mutation, DamagedFeatureFilesAreFeaturesOrErrors) {
  // NumPy's savez_compressed wrote the second archive, of the same three arrays.
  const std::vector<Original> originals{{"octavo.npz", npz_archive()},
                                        {"numpy.npz", text_of(OCTAVO_TESTDATA "/packed.npz")},
                                        {"colmap.txt", colmap_features("colmap.txt", three_features())}};
  for (const Original& original : originals) ASSERT_TRUE(is_features(original.bytes, original.name));
  const Count count = read_damaged(originals, 4000, is_features);
  expect_both(count);
}

/// The readers of text take names of files.
class TextFile {
 public:
  template <typename Read>
  bool read(const std::string& bytes, const Read& reader) const {
    fs::remove(file_);  // some file systems wait for the disk where a file is written over
    std::ofstream(file_, std::ios::binary) << bytes;
    return decodes(file_.string(), [&] { reader(file_); });
  }

 private:
  const TestFolder place_;
  const fs::path file_ = place_ / "text";
};

TEST(Mutation, DamagedTruthFilesAreTruthOrErrors) {
  const std::vector<Original> originals{
      {"homography", "1.25 -3e-2 17\n0.5, 1 0.125;\r\n1e-9\t0 +1\n"},
      {"correspondences", "# x y in A, x y in B\n1 2 3.5 4\n\n-1,2,1e3,4\r\n 0 0 0 0\n"},
      {"corners", "# x y\n1 2\n\n3.5,4e1\r\n 0 0\n"},
  };
  const TextFile file;
  ASSERT_TRUE(file.read(originals[0].bytes, read_homography));
  ASSERT_TRUE(file.read(originals[1].bytes, read_correspondences));
  ASSERT_TRUE(file.read(originals[2].bytes, read_corners));
  const Count count = read_damaged(originals, 2000, [&](const std::string& bytes, const std::string&) {
    const bool is_homography = file.read(bytes, read_homography), is_list = file.read(bytes, read_correspondences);
    return file.read(bytes, read_corners) || is_homography || is_list;
  });
  expect_both(count);
}

TEST(Mutation, DamagedListsOfPairsAreListsOfPairs) {
  const std::vector<Original> originals{{"pairs", "# two names a line\na.png b.png\n\nc.png\ta.png\r\nb.png c.png\n"}};
  const std::array<std::string, 3> names{"a.png", "b.png", "c.png"};
  const TextFile file;
  std::size_t pairs = 0, problems = 0;
  const Count count = read_damaged(originals, 2000, [&](const std::string& bytes, const std::string&) {
    return file.read(bytes, [&](const fs::path& path) {
      const PairList list = read_pair_list(path, names);
      for (const auto& [a, b] : list.pairs) EXPECT_TRUE(a < names.size() && b < names.size() && a != b);
      pairs += list.pairs.size();
      problems += list.problems.size();
    });
  });
  EXPECT_EQ(count.errors, 0);
  EXPECT_GT(pairs, 2000u);
  EXPECT_GT(problems, 500u);
}

/// A folder of results, whose manifest and journal are damaged.
class DamagedFolder {
 public:
  DamagedFolder() {
    std::ofstream(source_) << "an image";
    write();
    journal_bytes_ = text_of(journal_);
    ResultFolder(folder_.path).finish();
    manifest_bytes_ = text_of(manifest_);
  }

  [[nodiscard]] std::vector<Original> originals() const {
    return {{"manifest", manifest_bytes_}, {"journal", journal_bytes_}};
  }
  /// Whether the result is still known.
  [[nodiscard]] bool read(const std::string& bytes, const std::string& name) const {
    const bool is_manifest = name.starts_with("manifest");
    fs::remove(manifest_);
    fs::remove(journal_);
    std::ofstream(is_manifest ? manifest_ : journal_, std::ios::binary) << bytes;
    bool is_known = false;
    decodes(folder_.path.string(), [&] {
      const ResultFolder folder(folder_.path);
      is_known = folder.up_to_date("a.txt", source_, settings) != nullptr;
    });
    return is_known;
  }

 private:
  void write() const {
    const std::string text = "result";
    const auto bytes = std::as_bytes(std::span(text));
    const std::vector<ResultFile> files{{.name = "a.txt", .settings = settings, .bytes = {bytes.begin(), bytes.end()}}};
    ResultFolder(folder_.path).write(read_source(source_).source, 7, files);
  }

  static constexpr const char* settings = R"({"format":"text","scales":[1,2.5,null]})";
  const TestFolder folder_;
  const fs::path source_ = folder_ / "a.png", manifest_ = folder_ / "octavo-manifest.jsonl",
                 journal_ = folder_ / ".octavo-manifest.journal";
  std::string manifest_bytes_, journal_bytes_;
};

TEST(Mutation, DamagedManifestsKnowWhatTheyStillSayOrAreErrors) {
  const DamagedFolder folder;
  for (const Original& original : folder.originals()) {
    ASSERT_TRUE(folder.read(original.bytes, original.name)) << original.name;
  }
  const Count count = read_damaged(folder.originals(), 1000, [&](const std::string& bytes, const std::string& name) {
    return folder.read(bytes, name);
  });
  expect_both(count);
}

}  // namespace
}  // namespace octavo
