// Estimates of memory against what is really taken: exactly the bytes of the buffers of a GPU, and the peak of the
// process on the CPU and the reference.

#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdint>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>

#include "device/gpu_job.h"
#include "device/registry.h"
#include "foagdd/described_gpu.h"
#include "foagdd/foagdd_gpu.h"
#include "match/nearest_gpu.h"
#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/foagdd.h"
#include "octavo/matcher.h"
#include "octavo/trilateral.h"
#include "selftest/pictures.h"
#include "sift/sift_gpu.h"
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
      expect_exact(name, [&](const auto& gpu) { return std::make_unique<SiftGpu>(options, gpu, gpu->queue()); });
    }
    expect_exact(name, [](const auto& gpu) { return std::make_unique<FoagddGpu>(FoagddOptions{}, gpu, gpu->queue()); });
    expect_exact(name, [](const auto& gpu) { return make_described_corners_gpu({.describe = true}, gpu); });
  }
}

TEST(DeviceMemory, AnImageThatDoesNotFitIsRefusedBeforeTheWork) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "lacks a GPU";
  const Image image = pictures::noise(2000, 1000);
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
    EXPECT_GT(extractor.extract(pictures::noise(300, 200).view()).size(), 0u);
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

// The bytes that a piece of work adds to the memory of the process at its peak; 0 if the system cannot tell.
std::uint64_t peak_of(const std::function<void()>& work) {
  mallopt(M_MMAP_THRESHOLD, 128 << 10);  // freed planes go back to the system
  malloc_trim(0);
  if (!(std::ofstream("/proc/self/clear_refs") << 5 << std::flush)) return 0;  // the peak begins again
  const std::uint64_t before = memory_now("VmRSS:");
  work();
  return memory_now("VmHWM:") - before;
}

// The estimate must not be below the peak, and at most a quarter above it.
void report(const std::string& name, int width, int height, std::uint64_t estimate, std::uint64_t peak) {
  std::printf("%-44s %5dx%-5d estimate %8.1f MiB, peak %8.1f MiB\n", name.c_str(), width, height,
              static_cast<double>(estimate) / mib, static_cast<double>(peak) / mib);
  EXPECT_LE(peak, estimate) << name;
  EXPECT_LE(estimate, peak + peak / 4) << name;
}

template <class MakeExtractor>
void expect_close(const std::string& name, int width, int height, const MakeExtractor& make) {
  const Image image = pictures::blobs(width, height);
  Extractor extractor = make();
  const std::uint64_t usual = extractor.estimate(image.view()).front().need.usual.host;
  std::size_t points = 0;
  const std::uint64_t peak = peak_of([&] { points = extractor.extract(image.view()).size(); });
  if (peak == 0) GTEST_SKIP() << "lacks a peak of memory that can be reset, /proc/self/clear_refs";
  report(name + ", " + std::to_string(points) + " points", width, height, usual, peak);
}

class HostMemory : public testing::Test {
 protected:
  void SetUp() override {
    if (sanitized) GTEST_SKIP() << "lacks a build without sanitizers, whose memory is not that of the library";
  }
};

TEST_F(HostMemory, OfSift) {
  for (const auto& [width, height] : {std::pair{1600, 1200}, {3000, 2000}}) {
    for (const int threads : {1, 2}) {
      expect_close("sift cpu " + std::to_string(threads), width, height,
                   [&] { return Extractor({}, {.name = "cpu", .threads = threads}); });
    }
  }
  expect_close("sift reference", 900, 700, [] { return Extractor({}, {.name = "reference"}); });
}

TEST_F(HostMemory, OfSiftWithoutDoubling) {
  SiftOptions options;
  options.first_octave = 0;
  expect_close("sift undoubled", 4000, 3000, [&] { return Extractor(options, {.name = "cpu", .threads = 2}); });
}

TEST_F(HostMemory, OfTrilateralSift) {
  expect_close("trilateral sift cpu", 800, 600,
               [] { return Extractor(trilateral_sift(), {.name = "cpu", .threads = 2}); });
}

TEST_F(HostMemory, OfCorners) {
  for (const bool describe : {false, true}) {
    const std::string name = describe ? "described corners" : "corners";
    expect_close(name + " cpu", 4000, 3000,
                 [&] { return Foagdd({.describe = describe}, {.name = "cpu", .threads = 2}); });
    expect_close(name + " reference", 600, 500, [&] { return Foagdd({.describe = describe}, {.name = "reference"}); });
  }
}

TEST_F(HostMemory, OfTheTrilateralFilter) {
  constexpr int width = 2000, height = 1500;
  for (const double sigma : {1.6, 4.0}) {
    const Image image = pictures::blobs(width, height);
    Trilateral filter({.sigma = sigma}, {.name = "cpu", .threads = 2});
    const std::uint64_t usual = filter.estimate(image.view()).need.usual.host;
    Image filtered;
    const std::uint64_t peak = peak_of([&] { filtered = filter.filter(image.view()); });
    if (peak == 0) GTEST_SKIP() << "lacks a peak of memory that can be reset, /proc/self/clear_refs";
    report("trilateral filter cpu, sigma " + std::to_string(sigma), width, height, usual, peak);
  }
}

TEST_F(HostMemory, OfMatching) {
  const Image picture = pictures::noise(128, 60000);
  const std::span<const std::uint8_t> descriptors(reinterpret_cast<const std::uint8_t*>(picture.row(0)), 128 * 60000);
  Matcher matcher({}, {.name = "cpu", .threads = 2});
  const std::uint64_t usual = matcher.estimate(60000, 2000).need.usual.host;
  const std::uint64_t peak = peak_of([&] { matcher.match(descriptors, descriptors.first(128 * 2000)); });
  if (peak == 0) GTEST_SKIP() << "lacks a peak of memory that can be reset, /proc/self/clear_refs";
  report("matching cpu", 60000, 2000, usual, peak);
}

TEST(DeviceMemory, OfMatchingIsEstimated) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "lacks a GPU";
  const Image picture = pictures::noise(128, 9000);
  const std::span<const std::uint8_t> descriptors(reinterpret_cast<const std::uint8_t*>(picture.row(0)), 128 * 9000);
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
  // Four times the pixels, 4 bytes each: three images of every octave, and the first image of every later one.
  EXPECT_NEAR(static_cast<double>(large.need.least.host), 900e6 * 16 * (3 * 4.0 / 3 + 1.0 / 3), 900e6 * 16 * 0.01);
}

TEST(MemoryEstimate, OfShapesThatAreNoImages) {
  const Extractor extractor({}, {.name = "cpu"});
  EXPECT_THROW(static_cast<void>(extractor.estimate(shape(0, 5))), Error);
  EXPECT_THROW(static_cast<void>(extractor.estimate(shape(5, 5, 7))), Error);
  EXPECT_EQ(extractor.estimate(shape(5, 5)).front().need.least.host, 0u);
}

}  // namespace
}  // namespace octavo
