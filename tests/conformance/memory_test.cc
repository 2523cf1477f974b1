// Estimates of memory against what is really taken: exactly the bytes of the buffers of a GPU, and the peak of the
// process on the CPU and the reference.

#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdint>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>

#include "engine/device/gpu_job.h"
#include "engine/device/registry.h"
#include "engine/foagdd/described_gpu.h"
#include "engine/foagdd/foagdd_gpu.h"
#include "engine/match/nearest_gpu.h"
#include "engine/selftest/images.h"
#include "engine/sift/engine_gpu.h"
#include "engine/sift/sift_gpu.h"
#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/foagdd.h"
#include "octavo/image.h"
#include "octavo/matcher.h"
#include "octavo/sift_options.h"
#include "octavo/trilateral.h"
#include "tests/conformance/contenders.h"

namespace octavo {
namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

ImageView shape(int width, int height, int channels = 1, PixelType type = PixelType::u8) {
  return {nullptr, width, height, channels, type, 0};
}

SiftOptions trilateral_sift() {
  SiftOptions options;
  options.smoothing = Smoothing::trilateral;
  return options;
}

SiftOptions few_features() {
  SiftOptions options;
  options.max_features = 500;
  options.grid = 4;
  return options;
}

// Prepares the work for images of several shapes and compares the bytes of all buffers with the estimate.
void expect_exact(const std::string& device,
                  const std::function<std::unique_ptr<GpuWork>(std::shared_ptr<Gpu>)>& make) {
  for (const ImageView& image : {shape(64, 48), shape(641, 479, 3), shape(1000, 300, 1, PixelType::f32)}) {
    for (const bool masked : {false, true}) {
      const std::shared_ptr<Gpu> gpu = resolve_device({.name = device}).open_gpu();
      const std::unique_ptr<GpuWork> work = make(gpu);
      const MemoryNeed need = memory_of_job(*work, gpu->facts(), image, masked).need;
      work->prepare(image, masked);
      work->queue().wait();
      EXPECT_EQ(need.least.device, gpu->taken_bytes()) << device << ' ' << image.width << ' ' << masked;
      EXPECT_GE(need.usual.host, need.least.host);
    }
  }
}

TEST(DeviceMemory, IsEstimatedExactly) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "lacks a GPU";
  for (const std::string& name : gpus) {
    for (const SiftOptions& options : {SiftOptions{}, trilateral_sift(), few_features()}) {
      expect_exact(name,
                   [&](const auto& gpu) { return std::make_unique<SiftGpu>(parts_of(options), gpu, gpu->queue()); });
    }
    expect_exact(name, [](const auto& gpu) { return std::make_unique<FoagddGpu>(FoagddOptions{}, gpu, gpu->queue()); });
    expect_exact(name, [](const auto& gpu) { return make_described_corners_gpu({.describe = true}, gpu); });
  }
}

TEST(DeviceMemory, OfGivenKeypointsIsEstimatedExactly) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "lacks a GPU";
  const Image image = images::blobs(300, 200);
  const Oriented point{.octave = 1, .extremum = {.layer = 1, .row = 50, .column = 60}, .scale = 2};
  for (const std::string& name : gpus) {
    for (const std::size_t count : {1, 5000}) {
      const std::shared_ptr<Gpu> gpu = resolve_device({.name = name}).open_gpu();
      const std::unique_ptr<SiftEngine> engine = make_gpu_engine(parts_of(few_features()), gpu);
      const std::vector<Oriented> points(count, point);
      std::vector<std::uint8_t> descriptors(count * descriptor_length);
      engine->smooth(image.view());
      engine->orient(points);
      engine->describe(points, descriptors.data());
      EXPECT_EQ(engine->memory_for_description(image.view(), count).least.device, gpu->taken_bytes()) << name;
    }
  }
}

TEST(DeviceMemory, AnImageThatDoesNotFitIsRefusedBeforeTheWork) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "lacks a GPU";
  const Image image = images::noise(2000, 1000);
  for (const std::string& name : gpus) {
    Extractor extractor({}, {.name = name, .gpu_memory = 150 * mib});
    const MemoryEstimate estimate = extractor.estimate(image.view()).front();
    EXPECT_FALSE(estimate.fits());
    try {
      extractor.extract(image.view());
      FAIL() << name << " has room";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
      const std::string sentence = error.what();
      EXPECT_NE(sentence.find("an image of 2000×1000 pixels takes at least " +
                              std::to_string(estimate.need.least.device) + " bytes"),
                std::string::npos)
          << sentence;
    }
    EXPECT_GT(extractor.extract(images::noise(300, 200).view()).size(), 0u);
  }
}

// [byte] From /proc/self/status.
std::uint64_t memory_now(std::string_view name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (std::string_view(line).substr(0, name.size()) == name) return std::stoull(line.substr(name.size())) << 10;
  }
  return 0;
}

// The bytes that a piece of work adds to the memory of the process at its peak; 0 if the system cannot tell. The pages
// that earlier work of the process leaves behind blur the figure, so each test measures once, and the test runner gives
// each a process of its own.
std::uint64_t peak_of(const std::function<void()>& work) {
  mallopt(M_MMAP_THRESHOLD, 128 << 10);  // freed planes go back to the system
  malloc_trim(0);
  if (!(std::ofstream("/proc/self/clear_refs") << 5 << std::flush)) return 0;  // the peak begins again
  const std::uint64_t before = memory_now("VmRSS:");
  work();
  return memory_now("VmHWM:") - before;
}

// The estimate must not be below the peak, and at most a quarter above it.
void expect_close(const std::string& name, std::uint64_t estimate, const std::function<void()>& work) {
  if (sanitized) GTEST_SKIP() << "lacks a build without sanitizers, whose memory is not that of the library";
  const std::uint64_t peak = peak_of(work);
  if (peak == 0) GTEST_SKIP() << "lacks a peak of memory that can be reset, /proc/self/clear_refs";
  std::printf("%-36s estimate %8.1f MiB, peak %8.1f MiB\n", name.c_str(), static_cast<double>(estimate) / mib,
              static_cast<double>(peak) / mib);
  EXPECT_LE(peak, estimate);
  EXPECT_LE(estimate, peak + peak / 4);
}

struct Extraction {
  std::string name;
  int width, height;
  std::function<Extractor()> make;
};

class HostMemoryOfExtraction : public testing::TestWithParam<Extraction> {};

TEST_P(HostMemoryOfExtraction, IsEstimated) {
  const auto& [name, width, height, make] = GetParam();
  const Image image = images::blobs(width, height);
  Extractor extractor = make();
  expect_close(name, extractor.estimate(image.view()).front().need.usual.host,
               [&] { EXPECT_GT(extractor.extract(image.view()).size(), 0u); });
}

DeviceOptions on_cpu(int threads) { return {.name = "cpu", .threads = threads}; }

SiftOptions without_budget() {
  SiftOptions options;
  options.max_features = 0;
  return options;
}

SiftOptions undoubled() {
  SiftOptions options;
  options.first_octave = 0;
  return options;
}

INSTANTIATE_TEST_SUITE_P(
    HostMemory, HostMemoryOfExtraction,
    testing::Values(Extraction{"sift", 3000, 2000, [] { return Extractor({}, on_cpu(2)); }},
                    Extraction{"sift_one_thread", 3000, 2000, [] { return Extractor({}, on_cpu(1)); }},
                    Extraction{"best", 3840, 2160, [] { return Extractor(preset("best"), on_cpu(2)); }},
                    Extraction{"sift_small", 1600, 1200, [] { return Extractor({}, on_cpu(2)); }},
                    Extraction{"sift_in_parts", 4000, 3000, [] { return Extractor(without_budget(), on_cpu(2)); }},
                    Extraction{"sift_in_one_part", 1600, 1200, [] { return Extractor(without_budget(), on_cpu(2)); }},
                    Extraction{"sift_reference", 900, 700, [] { return Extractor({}, {.name = "reference"}); }},
                    Extraction{"sift_undoubled", 4000, 3000, [] { return Extractor(undoubled(), on_cpu(2)); }},
                    Extraction{"trilateral_sift", 800, 600, [] { return Extractor(trilateral_sift(), on_cpu(2)); }},
                    Extraction{"corners", 4000, 3000, [] { return Foagdd({}, on_cpu(2)); }},
                    Extraction{"corners_reference", 600, 500, [] { return Foagdd({}, {.name = "reference"}); }},
                    Extraction{"described_corners", 4000, 3000, [] { return Foagdd({.describe = true}, on_cpu(2)); }},
                    Extraction{"described_corners_reference", 600, 500,
                               [] { return Foagdd({.describe = true}, {.name = "reference"}); }}),
    [](const auto& tested) { return tested.param.name; });

TEST(HostMemoryOfDescription, IsEstimated) {
  const Image image = images::blobs(3000, 2000);
  std::vector<Keypoint> keypoints;
  for (int i = 0; i < 100'000; ++i) {
    keypoints.push_back({.x = static_cast<float>(i % 2900), .y = static_cast<float>(i % 1900), .scale = 1.5f});
  }
  Extractor extractor({}, on_cpu(2));
  Description found;
  expect_close("description", extractor.estimate_description(image.view(), keypoints.size()).need.usual.host,
               [&] { found = extractor.describe(image.view(), keypoints); });
}

class HostMemoryOfFilter : public testing::TestWithParam<double> {};

TEST_P(HostMemoryOfFilter, IsEstimated) {
  const Image image = images::blobs(2000, 1500);
  Trilateral filter({.spatial_sigma = GetParam()}, on_cpu(2));
  Image filtered;
  expect_close("trilateral filter", filter.estimate(image.view()).need.usual.host,
               [&] { filtered = filter.filter(image.view()); });
}

INSTANTIATE_TEST_SUITE_P(HostMemory, HostMemoryOfFilter, testing::Values(1.6, 4.0));

TEST(HostMemoryOfMatching, IsEstimated) {
  const Image image = images::noise(128, 60000);
  const std::span<const std::uint8_t> descriptors(reinterpret_cast<const std::uint8_t*>(image.row(0)), 128 * 60000);
  Matcher matcher({}, on_cpu(2));
  expect_close("matching", matcher.estimate(60000, 2000).need.usual.host,
               [&] { matcher.match(descriptors, descriptors.first(128 * 2000)); });
}

TEST(DeviceMemory, OfMatchingIsEstimated) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "lacks a GPU";
  const Image image = images::noise(128, 9000);
  const std::span<const std::uint8_t> descriptors(reinterpret_cast<const std::uint8_t*>(image.row(0)), 128 * 9000);
  for (const std::string& name : gpus) {
    const std::shared_ptr<Gpu> gpu = resolve_device({.name = name}).open_gpu();
    const std::unique_ptr<GpuQueue> queue = gpu->queue();
    GpuNearest nearest(gpu);
    const Descriptors b = descriptors.first(128 * 500);
    nearest.upload(*queue, descriptors, {&b, 1});
    nearest.enqueue(*queue, true);
    nearest.download(*queue);
    EXPECT_EQ(GpuNearest::memory_for(gpu->facts(), 9000, 500, true).least.device, gpu->taken_bytes()) << name;
  }
}

TEST(MemoryEstimate, GrowsWithTheImageAndCountsNothingTwice) {
  const Extractor extractor({}, {.name = "cpu", .threads = 1});
  const MemoryEstimate small = extractor.estimate(shape(640, 480)).front();
  const MemoryEstimate large = extractor.estimate(shape(30000, 30000)).front();
  EXPECT_EQ(small.device, "cpu");
  EXPECT_EQ(small.octaves, 7);
  EXPECT_EQ(small.in_flight, 1);
  EXPECT_EQ(small.need.least.device, 0u);
  EXPECT_LT(small.need.least.host, small.need.usual.host);
  // The first image of every octave but the first, which has four times the pixels, 4 bytes each; of the others some
  // rows and small octaves.
  EXPECT_NEAR(static_cast<double>(large.need.least.host), 900e6 * 16 / 3, 900e6);
}

TEST(MemoryEstimate, OfLargePhotographsIsBelow400MiB) {
  for (const char* name : {"octavo", "best", "sfm", "opencv"}) {
    for (const int threads : {1, 2}) {
      const MemoryEstimate estimate = Extractor(preset(name), on_cpu(threads)).estimate(shape(3840, 2160)).front();
      std::printf("%s, %d threads: %.1f MiB\n", name, threads, static_cast<double>(estimate.need.usual.host) / mib);
      EXPECT_LE(estimate.need.usual.host, 400 * mib) << name << ", " << threads << " threads";
    }
  }
}

TEST(MemoryEstimate, OfShapesThatAreNoImages) {
  const Extractor extractor({}, {.name = "cpu"});
  EXPECT_THROW(static_cast<void>(extractor.estimate(shape(0, 5))), Error);
  EXPECT_THROW(static_cast<void>(extractor.estimate(shape(5, 5, 7))), Error);
  EXPECT_EQ(extractor.estimate(shape(5, 5)).front().need.least.host, 0u);
}

}  // namespace
}  // namespace octavo
