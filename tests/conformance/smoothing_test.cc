// SIFT over the trilateral filter on the CPU and on GPUs equals the reference, byte by byte: levels and features, with
// every option, instruction set and number of threads.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/selftest/images.h"
#include "engine/sift/engine.h"
#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/image.h"
#include "octavo/sift_options.h"
#include "tests/conformance/contenders.h"
#include "tests/conformance/same_levels.h"

namespace octavo {
namespace {

SiftOptions trilateral(SiftOptions options = {.edge_threshold = 0}) {
  options.smoothing = Smoothing::trilateral;
  return options;
}

// Compares extraction on every device with the reference; the CPU runs with each number of threads in `threads`.
// Returns the features.
Features expect_same_everywhere(const ImageView& image, const SiftOptions& options, const std::string& what,
                                const ImageView* mask = nullptr, std::initializer_list<int> threads = {1, 7}) {
  const tbb::global_control seven(tbb::global_control::max_allowed_parallelism, 7);
  const Features expected = Extractor(options, {.name = "reference"}).extract(image, mask);
  for (const auto& [name, device] : contenders(threads)) {
    Extractor extractor(options, device);
    EXPECT_TRUE(extractor.extract(image, mask) == expected) << what << ", " << name;
    if (device.name == "cpu") continue;
    EXPECT_TRUE(extractor.extract(image, mask) == expected) << what << ", " << name << ", replayed";
  }
  return expected;
}

class SmoothingWith : public testing::TestWithParam<std::tuple<SmoothingSchedule, TrilateralRange, TrilateralWindow>> {
};

TEST_P(SmoothingWith, LevelsOfEveryDevice) {
  const Image image = images::blobs(90, 77);
  SiftOptions options = trilateral({.first_octave = 0, .edge_threshold = 0});
  std::tie(options.trilateral_schedule, options.trilateral_range, options.trilateral_window) = GetParam();
  const auto reference = make_engine(options, {.name = "reference"});
  const auto expected = reference->detect(image.view());
  for (const auto& [name, device] : contenders({1})) {
    const auto engine = make_engine(options, device);
    ASSERT_EQ(engine->detect(image.view()), expected) << name;
    ASSERT_NO_FATAL_FAILURE(expect_same_levels(*engine, *reference, expected.size(), options.layers + 3, name));
  }
}

std::string words_of(const testing::TestParamInfo<SmoothingWith::ParamType>& one) {
  const auto [schedule, range, window] = one.param;
  return std::string(schedule == SmoothingSchedule::direct ? "direct" : "incremental") +
         (range == TrilateralRange::contrast ? "_contrast" : "_gradients") +
         (window == TrilateralWindow::certified ? "_certified" : "_power_of_two");
}

INSTANTIATE_TEST_SUITE_P(Each, SmoothingWith,
                         testing::Combine(testing::Values(SmoothingSchedule::direct, SmoothingSchedule::incremental),
                                          testing::Values(TrilateralRange::contrast, TrilateralRange::gradients),
                                          testing::Values(TrilateralWindow::power_of_two, TrilateralWindow::certified)),
                         words_of);

TEST(SmoothingConformance, Sizes) {
  for (const int size : {1, 5, 6, 12, 17, 33, 65}) {
    const std::string of = std::to_string(size);
    expect_same_everywhere(images::blobs(size, 31).view(), trilateral(), of + "×31");
    SiftOptions options = trilateral();
    options.first_octave = 0;
    expect_same_everywhere(images::noise(40, size).view(), options, "40×" + of);
  }
}

TEST(SmoothingConformance, Options) {
  const Image image = images::blobs(72, 64, PixelType::u8, 3);
  using Schedule = SmoothingSchedule;
  const std::pair<const char*, SiftOptions> variants[] = {
      {"as it is", {.first_octave = 0, .edge_threshold = 0}},
      {"edge test", {.first_octave = 0}},
      {"doubled", {.max_octaves = 2, .edge_threshold = 0}},
      {"one octave", {.first_octave = 0, .max_octaves = 1}},
      {"one layer", {.first_octave = 0, .layers = 1}},
      {"one layer, incremental", {.first_octave = 0, .layers = 1, .trilateral_schedule = Schedule::incremental}},
      {"two layers", {.first_octave = 0, .layers = 2}},
      {"five layers", {.first_octave = 0, .layers = 5}},
      {"eight thin layers",
       {.first_octave = 0, .layers = 8, .sigma = 0.8, .trilateral_schedule = Schedule::incremental}},
      {"the widest windows", {.first_octave = 0, .max_octaves = 1, .layers = 1, .sigma = 4}},
      {"no contrast limit", {.first_octave = 0, .contrast_threshold = 0, .edge_threshold = 0}},
      {"gradients", {.first_octave = 0, .contrast_threshold = 0.01, .trilateral_range = TrilateralRange::gradients}},
      {"certified", {.first_octave = 0, .trilateral_window = TrilateralWindow::certified}},
      {"BT.601", {.first_octave = 0, .luma = Luma::bt601}},
      {"RootSIFT", {.first_octave = 0, .descriptor = DescriptorKind::rootsift}},
      {"20 strongest in a grid", {.first_octave = 0, .max_features = 20, .grid = 3}},
      {"the sources'", preset("mizuno2015")},
  };
  std::size_t all = 0;
  for (const auto& [name, options] : variants) {
    const Features found = expect_same_everywhere(image.view(), trilateral(options), name, nullptr, {7});
    all += found.size();
  }
  EXPECT_GT(all, 100u);
}

TEST(SmoothingConformance, PixelTypes) {
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::f32}) {
    for (const int channels : {1, 4}) {
      const Image image = images::blobs(61, 47, type, channels);
      Image storage;
      expect_same_everywhere(images::unaligned(image, storage), trilateral({.first_octave = 0, .max_octaves = 1}),
                             "type " + std::to_string(int(type)) + ", channels " + std::to_string(channels));
    }
  }
}

TEST(SmoothingConformance, Masks) {
  const Image image = images::blobs(80, 70);
  Image mask(80, 70, 1, PixelType::u8);
  for (int y = 0; y < 70; ++y) {
    for (int x = 0; x < 80; ++x) mask.row(y)[x] = std::byte(x + y < 70 ? 1 : 0);
  }
  const ImageView view = mask.view();
  const SiftOptions options = trilateral({.first_octave = 0, .edge_threshold = 0});
  const Features masked = expect_same_everywhere(image.view(), options, "mask", &view);
  EXPECT_GT(masked.size(), 0u);
  EXPECT_LT(masked.size(), Extractor(options, {.name = "cpu"}).extract(image.view()).size());
}

// An image without contrast has no features, whatever the limits.
TEST(SmoothingConformance, FlatImages) {
  for (const int grey : {0, 77, 255}) {
    Image flat(50, 40, 1, PixelType::u8);
    for (int y = 0; y < 40; ++y) std::fill_n(flat.row(y), 50, std::byte(grey));
    for (const TrilateralRange range : {TrilateralRange::contrast, TrilateralRange::gradients}) {
      const SiftOptions options =
          trilateral({.first_octave = 0, .contrast_threshold = 0, .edge_threshold = 0, .trilateral_range = range});
      EXPECT_EQ(expect_same_everywhere(flat.view(), options, "flat " + std::to_string(grey)).size(), 0u);
      // One differing pixel in 2000 gives no contrast either.
      flat.row(20)[25] = std::byte(grey ^ 64);
      const std::size_t found = expect_same_everywhere(flat.view(), options, "speck " + std::to_string(grey)).size();
      if (range == TrilateralRange::contrast) {
        EXPECT_EQ(found, 0u);
      }
      flat.row(20)[25] = std::byte(grey);
    }
  }
}

// The threshold follows the contrast, so that an image of half the contrast keeps its keypoints. With the sources'
// range, which has no measure of the contrast, the same threshold takes many of them.
TEST(SmoothingConformance, HalfTheContrastKeepsTheKeypoints) {
  const Image image = images::blobs(160, 120, PixelType::f32);
  Image half(160, 120, 1, PixelType::f32);
  for (int y = 0; y < 120; ++y) {
    const float* from = reinterpret_cast<const float*>(image.row(y));
    float* to = reinterpret_cast<float*>(half.row(y));
    for (int x = 0; x < 160; ++x) to[x] = 0.25f + 0.5f * from[x];
  }
  const auto count = [](const Image& shown, const SiftOptions& options) {
    return static_cast<double>(Extractor(options, {.name = "cpu"}).extract(shown.view()).size());
  };
  const SiftOptions options = trilateral();
  EXPECT_GT(count(image, options), 50);
  EXPECT_NEAR(count(half, options) / count(image, options), 1, 0.05);
  SiftOptions sources = preset("mizuno2015");
  EXPECT_EQ(sources.contrast_threshold, 0);
  sources.contrast_threshold = options.contrast_threshold;
  EXPECT_LT(count(half, sources), 0.6 * count(image, sources));
}

// The steps share buffers, and so do images of all sizes.
TEST(SmoothingConformance, AnExtractorGoesFromSizeToSize) {
  std::vector<std::string> devices = gpu_names();
  devices.push_back("cpu");
  std::map<int, Features> expected;
  for (const int size : {13, 20, 70, 90}) {
    expected[size] = Extractor(trilateral(), {.name = "reference"}).extract(images::blobs(size, 60).view());
  }
  for (const std::string& name : devices) {
    Extractor extractor(trilateral(), {.name = name});
    for (const int size : {70, 20, 90, 13, 70}) {
      EXPECT_TRUE(extractor.extract(images::blobs(size, 60).view()) == expected[size]) << name << ", " << size;
    }
  }
}

// If the memory does not suffice for the filter, there is an error, and the next image is extracted.
TEST(SmoothingConformance, MemoryThatCannotBeHadIsAnErrorAndTheExtractorStaysUsable) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "no GPU: neither CUDA nor OpenCL offers one";
  const Image large = images::noise(2000, 1000), small = images::blobs(60, 50);
  const Features expected = Extractor(trilateral(), {.name = "cpu"}).extract(small.view());
  for (const std::string& name : gpus) {
    Extractor extractor(trilateral(), {.name = name, .gpu_memory = std::size_t{64} << 20});
    EXPECT_THROW(extractor.extract(large.view()), Error) << name;
    EXPECT_TRUE(extractor.extract(small.view()) == expected) << name;
  }
}

}  // namespace
}  // namespace octavo
