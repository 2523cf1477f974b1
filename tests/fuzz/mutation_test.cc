// Damaged pictures, feature files, truth files, lists of pairs and manifests, for every reader of files. Each must be
// decoded or be an error. The tests need no fuzzing engine. The files are the same in every run: some thousand in a
// release build, and with sanitizers as many as half a minute allows. A failure prints the seed of its file.
// OCTAVO_FUZZ_SEED=N begins with the file of that seed, OCTAVO_FUZZ_FILES=N reads N files: so other files are searched.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <regex>
#include <span>
#include <string>
#include <vector>

#include "core/test_folder.h"
#include "octavo/dataset.h"
#include "octavo/error.h"
#include "octavo/imageio.h"
#include "octavo/mask.h"
#include "octavo/picture_pairs.h"
#include "octavo/result_folder.h"

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
    // The limit lets one file take no more than a fraction of a second.
    const Image image = decode_image(std::as_bytes(std::span(bytes)), name, {.max_pixels = 1 << 20});
    EXPECT_GE(image.width(), 1) << name;
    EXPECT_GE(image.height(), 1) << name;
    EXPECT_EQ(mask_of(image.view()).width(), image.width()) << name;
  });
}

// A crash ends the test before it can print the seed, so that the handler of the signal prints it.
volatile std::uint32_t seed_of_a_crash = 0;

void tell_seed(int signal) {
  std::array<char, 40> text{"OCTAVO_FUZZ_SEED="};
  std::size_t length = std::strlen(text.data());
  for (std::uint32_t unit = 1'000'000'000; unit > 0; unit /= 10) {
    text[length++] = static_cast<char>('0' + seed_of_a_crash / unit % 10);
  }
  text[length++] = '\n';
  static_cast<void>(!write(STDOUT_FILENO, text.data(), length));
  std::raise(signal);  // its handler is reset
}

// The handler has a stack of its own, since a crash may be an overflow of the stack.
void tell_seed_of_crashes() {
  static std::array<std::byte, 1 << 16> stack;
  const stack_t alternative{.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_handler = tell_seed;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGBUS}) sigaction(signal, &action, nullptr);
}

/// A file as it was written, which the mutations begin with.
struct Original {
  std::string name, bytes;
};

/// How many damaged files were read and how many were errors.
struct Count {
  int whole = 0, errors = 0;
};

/// Damages the originals in turn, and reads what that gives: `rounds` times each, or for OCTAVO_FUZZ_SECONDS.
template <typename Read>
Count read_damaged(const std::vector<Original>& originals, std::size_t rounds, const Read& read) {
  constexpr std::chrono::seconds time{OCTAVO_FUZZ_SECONDS};
  const char* const asked = std::getenv("OCTAVO_FUZZ_SEED");
  const char* const asked_files = std::getenv("OCTAVO_FUZZ_FILES");
  const std::size_t wanted = asked_files != nullptr ? std::strtoul(asked_files, nullptr, 10)
                             : time.count() > 0     ? std::numeric_limits<std::size_t>::max()
                                                    : rounds * originals.size();
  const auto first = asked != nullptr ? static_cast<std::uint32_t>(std::strtoul(asked, nullptr, 10)) : 0;
  tell_seed_of_crashes();
  const auto start = std::chrono::steady_clock::now();
  Count count;
  std::uint32_t files = 0;
  const auto is_done = [&] {
    const bool is_late = asked_files == nullptr && time.count() > 0 && std::chrono::steady_clock::now() - start > time;
    return is_late || files >= wanted;
  };
  for (; !is_done() && !testing::Test::HasFailure(); ++files) {
    const std::uint32_t seed = first + files;
    const Original& original = originals[seed % originals.size()];
    const std::string name = original.name + ", OCTAVO_FUZZ_SEED=" + std::to_string(seed);
    seed_of_a_crash = seed;
    ++(read(Mutator(seed)(original.bytes), name) ? count.whole : count.errors);
  }
  std::printf("%u files from OCTAVO_FUZZ_SEED=%u: %d read, %d errors\n", files, first, count.whole, count.errors);
  return count;
}

TEST(Mutation, DamagedPicturesAreImagesOrErrors) {
  const std::vector<fs::path> files = pictures();
  ASSERT_GT(files.size(), 50u);
  std::vector<Original> originals;
  for (const fs::path& file : files) originals.push_back({file.filename().string(), text_of(file)});
  originals.push_back({"text.pgm", "P2\n# comment\n4 3\n1023\n0 1 2 3\n4 5 6 7\n8 9 10 1023\n"});
  originals.push_back({"bytes.ppm", "P6 2 2 255\nabcdefghijkl"});
  for (const Original& original : originals) ASSERT_FALSE(original.bytes.empty()) << original.name;

  testing::internal::CaptureStderr();
  const Count count = read_damaged(originals, 300, is_image);
  // libde265 has no option against this line, which one of 100 000 damaged files brings (docs/picture-formats.md).
  const std::string printed =
      std::regex_replace(testing::internal::GetCapturedStderr(), std::regex("SPS error: .*\n"), "");
  EXPECT_EQ(printed, "") << "the library never prints";
  // If the mutations broke no file, or every file at its first byte, this test would find nothing.
  EXPECT_GT(count.whole, 1000);
  EXPECT_GT(count.errors, 4000);
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
  EXPECT_GT(count.whole, 100);
  EXPECT_GT(count.errors, 1000);
}

TEST(Mutation, DamagedFeatureFilesAreFeaturesOrErrors) {
  // NumPy's savez_compressed wrote the second archive, of the same three arrays.
  const std::vector<Original> originals{{"octavo.npz", npz_archive()},
                                        {"numpy.npz", text_of(OCTAVO_TESTDATA "/packed.npz")},
                                        {"colmap.txt", colmap_features("colmap.txt", three_features())}};
  for (const Original& original : originals) ASSERT_TRUE(is_features(original.bytes, original.name));
  const Count count = read_damaged(originals, 4000, is_features);
  EXPECT_GT(count.whole, 40);
  EXPECT_GT(count.errors, 6000);
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
  };
  const TextFile file;
  ASSERT_TRUE(file.read(originals[0].bytes, read_homography));
  ASSERT_TRUE(file.read(originals[1].bytes, read_correspondences));
  const Count count = read_damaged(originals, 2000, [&](const std::string& bytes, const std::string&) {
    const bool is_homography = file.read(bytes, read_homography), is_list = file.read(bytes, read_correspondences);
    return is_homography || is_list;
  });
  EXPECT_GT(count.whole, 400);
  EXPECT_GT(count.errors, 400);
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
    std::ofstream(source_) << "a picture";
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
  EXPECT_GT(count.whole, 100);
  EXPECT_GT(count.errors, 400);
}

}  // namespace
}  // namespace octavo
