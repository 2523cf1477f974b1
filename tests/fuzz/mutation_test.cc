// Thousands of damaged pictures and feature files, the same in every run. Each must be decoded or be an error. The test
// needs no fuzzing engine.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "octavo/error.h"
#include "octavo/imageio.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> pictures() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(OCTAVO_TESTDATA)) {
    const fs::path ending = entry.path().extension();
    if (ending != ".py" && ending != ".npz") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Damages a file in one to four places, in ways that often break decoders.
class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {}

  std::string operator()(std::string bytes) {
    for (std::uint32_t changes = 1 + below(4); changes > 0 && !bytes.empty(); --changes) {
      const std::size_t at = below(static_cast<std::uint32_t>(bytes.size()));
      const std::size_t length = std::min<std::size_t>(1 + below(8), bytes.size() - at);
      switch (below(6)) {
        case 0:  // a bit
          bytes[at] = static_cast<char>(bytes[at] ^ 1 << below(8));
          break;
        case 1:  // any byte
          bytes[at] = static_cast<char>(below(256));
          break;
        case 2:  // a number at an end of its range
          std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), length, below(2) == 0 ? '\xFF' : '\0');
          break;
        case 3:  // bytes lost
          bytes.erase(at, length);
          break;
        case 4:  // bytes twice
          bytes.insert(at, bytes.substr(at, length));
          break;
        default:  // the end lost
          bytes.resize(at);
      }
    }
    return bytes;
  }

 private:
  /// A number below `limit`. The standard's distributions differ between libraries, and this does not. Its slight bias
  /// does no harm.
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }

  std::mt19937 random_;
};

/// Whether `decode` succeeds on the file of this name; anything but success or an Error that names it fails the test.
template <typename Decode>
bool decodes(const std::string& name, const Decode& decode) {
  try {
    decode();
    return true;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << name << " threw something else than an octavo::Error: " << error.what();
  }
  return false;
}

bool is_image(const std::string& bytes, const std::string& name) {
  return decodes(name, [&] {
    const Image image = decode_image(std::as_bytes(std::span(bytes)), name);
    EXPECT_GE(image.width(), 1) << name;
    EXPECT_GE(image.height(), 1) << name;
  });
}

TEST(Mutation, DamagedPicturesAreImagesOrErrors) {
  constexpr int rounds = 300;
  const std::vector<fs::path> files = pictures();
  ASSERT_GT(files.size(), 40u);
  std::vector<std::pair<std::string, std::string>> originals;
  for (const fs::path& file : files) originals.emplace_back(file.filename().string(), text_of(file));
  originals.emplace_back("text.pgm", "P2\n# comment\n4 3\n1023\n0 1 2 3\n4 5 6 7\n8 9 10 1023\n");
  originals.emplace_back("bytes.ppm", "P6 2 2 255\nabcdefghijkl");

  int images = 0, errors = 0;
  testing::internal::CaptureStderr();
  for (std::size_t i = 0; i < originals.size(); ++i) {
    const auto& [name, bytes] = originals[i];
    ASSERT_FALSE(bytes.empty()) << name;
    for (int round = 0; round < rounds; ++round) {
      const auto seed = static_cast<std::uint32_t>(i * rounds + static_cast<std::size_t>(round));
      const bool whole = is_image(Mutator(seed)(bytes), name + ", mutation " + std::to_string(seed));
      ++(whole ? images : errors);
    }
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "the library never prints";
  // If the mutations broke no file, or every file at its first byte, this test would find nothing.
  EXPECT_GT(images, 1000);
  EXPECT_GT(errors, 5000);
}

/// An archive of features that write_npz_features wrote.
std::string npz_archive() {
  Features features;
  for (int i = 0; i < 3; ++i) features.keypoints.push_back({.x = 1.5f, .y = 2, .scale = 3, .octave = -1, .layer = 1});
  for (std::size_t i = 0; i < 3 * descriptor_length; ++i) features.descriptors.push_back(static_cast<std::uint8_t>(i));
  const fs::path file = fs::path(testing::TempDir()) / "octavo_mutation.npz";
  write_npz_features(file, features);
  std::string bytes = text_of(file);
  fs::remove(file);
  return bytes;
}

bool is_features(const std::string& bytes, const std::string& name) {
  return decodes(name, [&] {
    const Features features = decode_npz_features(std::as_bytes(std::span(bytes)), name);
    EXPECT_EQ(features.descriptors.size(), features.size() * descriptor_length) << name;
  });
}

TEST(Mutation, DamagedFeatureFilesAreFeaturesOrErrors) {
  // NumPy's savez_compressed wrote the second archive, of the same three arrays.
  for (const std::string& original : {npz_archive(), text_of(OCTAVO_TESTDATA "/packed.npz")}) {
    ASSERT_TRUE(is_features(original, "as it was written"));
    int whole = 0, errors = 0;
    for (std::uint32_t seed = 0; seed < 4000; ++seed) {
      ++(is_features(Mutator(seed)(original), "mutation " + std::to_string(seed)) ? whole : errors);
    }
    EXPECT_GT(whole, 20);
    EXPECT_GT(errors, 2000);
  }
}

}  // namespace
}  // namespace octavo
