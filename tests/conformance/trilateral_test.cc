// The trilateral filter on the CPU and on GPUs equals the reference's, levels included: every instruction set and
// number of threads, sizes around those of vectors and tiles, every option, every kind of image.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/device/registry.h"
#include "engine/selftest/images.h"
#include "engine/trilateral/trilateral.h"
#include "engine/trilateral/trilateral_gpu.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "tests/conformance/contenders.h"

namespace octavo {
namespace {

struct Answer {
  std::vector<float> pixels;
  TrilateralLevels levels;
};

Answer answer_of(TrilateralEngine& engine, const ImageView& image) {
  Plane out;
  Answer answer;
  engine.filter(image, out);
  engine.fetch_levels(answer.levels);
  for (int y = 0; y < image.height; ++y)
    answer.pixels.insert(answer.pixels.end(), out.row(y), out.row(y) + image.width);
  return answer;
}

// Compares the filter on every device with the reference.
class Comparison {
 public:
  explicit Comparison(const TrilateralOptions& options, std::initializer_list<int> threads = {1})
      : reference_(make_trilateral_engine(options, {.name = "reference"})) {
    for (const Contender& c : contenders(threads)) engines_.emplace_back(c, make_trilateral_engine(options, c.device));
  }

  void expect_the_same(const ImageView& image, const std::string& what) {
    const Answer expected = answer_of(*reference_, image);
    for (const auto& [contender, engine] : engines_) {
      const std::string& name = contender.name;
      // A GPU replays what it recorded the first time.
      for (int run = 0; run < (contender.device.name == "cpu" ? 1 : 2); ++run) {
        const Answer answer = answer_of(*engine, image);
        ASSERT_EQ(answer.levels, expected.levels) << what << ", " << name;
        for (std::size_t i = 0; i < expected.pixels.size(); ++i) {
          ASSERT_EQ(std::memcmp(&answer.pixels[i], &expected.pixels[i], sizeof(float)), 0)
              << what << ", " << name << ", pixel " << i % static_cast<std::size_t>(image.width) << " "
              << i / static_cast<std::size_t>(image.width) << ": " << answer.pixels[i] << " for " << expected.pixels[i];
        }
      }
    }
  }

 private:
  std::unique_ptr<TrilateralEngine> reference_;
  std::vector<std::pair<Contender, std::unique_ptr<TrilateralEngine>>> engines_;
};

void expect_the_same(const ImageView& image, const TrilateralOptions& options, const std::string& what,
                     std::initializer_list<int> threads = {1}) {
  Comparison(options, threads).expect_the_same(image, what);
}

std::string sizes(int width, int height) { return std::to_string(width) + "×" + std::to_string(height); }

class TrilateralConformance : public ::testing::Test {
  tbb::global_control seven_{tbb::global_control::max_allowed_parallelism, 7};
};

TEST_F(TrilateralConformance, EverySize) {
  // The first filter has the widest windows that GPUs process tile by tile. For the second they order all pixels.
  Comparison tiles({.spatial_sigma = 2.07}), ordered({.spatial_sigma = 2.5}), smoothed({.spatial_sigma = 3});
  int combination = 0;
  for (const int width : {1, 2, 3, 7, 15, 16, 17, 31, 33, 63, 65, 127, 129, 257}) {
    for (const int height : {1, 2, 5, 16, 17, 32, 33}) {
      if (++combination % 2 == 0)
        continue;  // each width with every other height, and each height with every other width
      const auto seed = static_cast<std::uint64_t>(width * 1000 + height);
      tiles.expect_the_same(images::noise(width, height, seed).view(), "noise, " + sizes(width, height));
      const Image blobs = images::blobs(width, height, PixelType::u8, 1, seed);
      tiles.expect_the_same(blobs.view(), "blobs, " + sizes(width, height));
      ordered.expect_the_same(blobs.view(), "blobs, all in order, " + sizes(width, height));
      smoothed.expect_the_same(blobs.view(), "blobs, smoothed gradients, " + sizes(width, height));
    }
  }
}

// The image has more rows than CUDA allows rows of groups.
TEST_F(TrilateralConformance, LongImages) {
  for (const double sigma : {1.0, 2.5, 3.0}) {
    expect_the_same(images::noise(3, 70'000).view(), {.spatial_sigma = sigma}, "tall");
    expect_the_same(images::noise(70'000, 3).view(), {.spatial_sigma = sigma}, "wide");
  }
}

TEST_F(TrilateralConformance, EverySigmaAndWindow) {
  const Image image = images::blobs(97, 70);
  for (const double sigma : {0.5, 0.7, 1.0, 1.2263, 1.9466, 2.07, 2.08, 2.999, 3.0, 3.0902, 5.0, 7.3}) {
    for (const TrilateralWindow window : {TrilateralWindow::power_of_two, TrilateralWindow::certified}) {
      expect_the_same(image.view(), {.spatial_sigma = sigma, .trilateral_window = window},
                      "sigma " + std::to_string(sigma));
    }
  }
  expect_the_same(images::blobs(150, 41).view(), {.spatial_sigma = 16}, "sigma 16");
  expect_the_same(images::blobs(70, 64).view(), {.spatial_sigma = 32}, "sigma 32");
  expect_the_same(images::blobs(70, 64).view(), {.spatial_sigma = 32, .trilateral_window = TrilateralWindow::certified},
                  "sigma 32");
}

// Before Sawada (2024) sorts pixels, a GPU takes them where they are.
TEST_F(TrilateralConformance, PixelsInRows) {
  for (const double sigma : {1.6, 2.5, 3.1}) {
    const TrilateralOptions options{.spatial_sigma = sigma, .trilateral_order = TrilateralOrder::rows};
    expect_the_same(images::blobs(97, 70).view(), options, "rows");
    expect_the_same(images::noise(31, 33).view(), options, "rows");
    expect_the_same(images::noise(3, 1).view(), options, "rows");
  }
  for (const Contender& c : contenders({})) {
    if (!resolve_device(c.device).is_gpu()) continue;
    const Image image = images::blobs(200, 150);
    const auto imbalance = [&](TrilateralOrder order) {
      Trilateral filter({.spatial_sigma = 4, .trilateral_order = order}, c.device);
      filter.filter(image.view());
      return filter.work().imbalance;
    };
    EXPECT_GT(imbalance(TrilateralOrder::rows), 1.2 * imbalance(TrilateralOrder::windows)) << c.name;
  }
}

TEST_F(TrilateralConformance, AnyNumberOfThreads) {
  expect_the_same(images::blobs(300, 130).view(), {.spatial_sigma = 3.1}, "blobs", {1, 2, 7});
}

TEST_F(TrilateralConformance, EveryKindOfImage) {
  Image storage;
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::f32}) {
    for (const int channels : {1, 2, 3, 4}) {
      for (const Luma luma : {Luma::bt601, Luma::bt709}) {
        const Image image = images::blobs(61, 47, type, channels);
        ImageView view = images::unaligned(image, storage);
        view.order = luma == Luma::bt601 ? ChannelOrder::bgr : ChannelOrder::rgb;
        expect_the_same(view, {.luma = luma}, "type", {7});
      }
    }
  }
  for (const double sigma : {2.0, 3.1}) {
    expect_the_same(images::checkerboard(120, 90, 7).view(), {.spatial_sigma = sigma}, "squares");
    expect_the_same(images::checkerboard(64, 64, 100).view(), {.spatial_sigma = sigma}, "black");
  }
}

// One gradient is large. All others count as alike, so every window is as large as possible.
TEST_F(TrilateralConformance, WindowsOfAllSizes) {
  Image image(131, 67, 1, PixelType::f32);
  for (int y = 0; y < 67; ++y) {
    for (int x = 0; x < 131; ++x) {
      reinterpret_cast<float*>(image.row(y))[x] =
          x == 40 && y == 30 ? 1.0f : static_cast<float>((x * 31 + y * 17) % 23) / 4000;
    }
  }
  for (const double sigma : {1.6, 6.0}) expect_the_same(image.view(), {.spatial_sigma = sigma}, "one bright pixel");
}

// Planes as in a pyramid: several in one buffer, with rows of any length. The work is recorded and run again, and
// smaller planes follow.
TEST_F(TrilateralConformance, PlanesInTheMemoryOfAGpu) {
  for (const Contender& c : contenders({})) {
    const ResolvedDevice device = resolve_device(c.device);
    if (!device.is_gpu()) continue;
    const std::shared_ptr<Gpu> gpu = device.open_gpu();
    const auto queue = gpu->queue();
    const TrilateralOptions options{.spatial_sigma = 4};
    TrilateralGpu filter(options, gpu);
    for (const int width : {131, 64}) {
      const int height = width / 2, from_stride = width + 37, to_stride = width + 5;
      const std::size_t from_first = 1001, to_first = from_first + static_cast<std::size_t>(from_stride * height);
      std::vector<float> planes(to_first + static_cast<std::size_t>(to_stride * height), 5.0f);
      const Image image = images::blobs(width, height, PixelType::f32);
      for (int y = 0; y < height; ++y) {
        std::memcpy(&planes[from_first + static_cast<std::size_t>(y * from_stride)], image.row(y),
                    static_cast<std::size_t>(width) * sizeof(float));
      }
      const auto buffer = gpu->allocate(planes.size() * sizeof(float));
      queue->upload(*buffer, 0, planes.data(), buffer->bytes());
      filter.prepare({{width, height}});
      queue->begin_recording();
      filter.enqueue(*queue, {*buffer, static_cast<std::int64_t>(from_first), from_stride},
                     {*buffer, static_cast<std::int64_t>(to_first), to_stride});
      const auto recording = queue->end_recording();
      const Answer expected = answer_of(*make_trilateral_engine(options, {.name = "reference"}), image.view());
      for (int run = 0; run < 2; ++run) {
        queue->replay(*recording);
        std::vector<float> found(planes.size());
        queue->download(found.data(), *buffer, 0, buffer->bytes());
        queue->wait();
        for (int y = 0; y < height; ++y) {
          float* const row = &found[to_first + static_cast<std::size_t>(y * to_stride)];
          ASSERT_EQ(std::vector<float>(row, row + width),
                    std::vector<float>(&expected.pixels[static_cast<std::size_t>(y * width)],
                                       &expected.pixels[static_cast<std::size_t>(y * width)] + width))
              << c.name << ", row " << y;
          std::fill_n(row, width, 5.0f);
        }
        ASSERT_EQ(found, planes) << c.name << " wrote elsewhere";
      }
    }
  }
}

// The order of pixels identifies each pixel by a number of 31 bits.
TEST_F(TrilateralConformance, ImagesThatAreTooLargeForAGpuAreRefused) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "no GPU: neither CUDA nor OpenCL offers one";
  for (const std::string& name : gpus) {
    TrilateralGpu filter(TrilateralOptions{.spatial_sigma = 8}, resolve_device({.name = name}).open_gpu());
    try {
      filter.prepare({{46'341, 46'341}});
      ADD_FAILURE() << name << " takes it";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::invalid_argument);
      EXPECT_NE(std::string(e.what()).find("46341x46341"), std::string::npos) << e.what();
    }
    filter.release();
    filter.prepare({{64, 64}});
  }
}

TEST_F(TrilateralConformance, CudaTellsItsOccupancy) {
  for (const double sigma : {1.6, 8.0}) {
    for (const Contender& c : contenders({1})) {
      const TrilateralSchedule schedule = make_trilateral_engine({.spatial_sigma = sigma}, c.device)->schedule();
      const bool is_cuda = c.device.name.starts_with("cuda");
      EXPECT_EQ(schedule.occupancy > 0, is_cuda) << c.name;
      EXPECT_LE(schedule.occupancy, 1) << c.name;
    }
  }
}

TEST_F(TrilateralConformance, AnEngineGoesFromSizeToSize) {
  for (const double sigma : {2.0, 3.1}) {
    const TrilateralOptions options{.spatial_sigma = sigma};
    for (const Contender& c : contenders({2})) {
      const auto engine = make_trilateral_engine(options, c.device);
      for (const int size : {40, 130, 1, 64, 40}) {
        const Image image = images::blobs(size, size + 9);
        const Answer expected = answer_of(*make_trilateral_engine(options, {.name = "reference"}), image.view());
        const Answer answer = answer_of(*engine, image.view());
        ASSERT_EQ(answer.pixels, expected.pixels) << c.name << ", " << size;
        ASSERT_EQ(answer.levels, expected.levels) << c.name << ", " << size;
      }
    }
  }
}

}  // namespace
}  // namespace octavo
