// Implementations take turns and stop when their time is used up. The failure of one does not affect the others.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "io/images/resize.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "study/benchmark/benchmark.h"

namespace octavo {
namespace {

// An implementation that records its calls.
class Scribe : public BenchmarkImplementation {
 public:
  Scribe(std::string name, std::vector<std::string>& log, int fails_at_width = 0)
      : name_(std::move(name)), log_(log), fails_at_width_(fails_at_width) {}

  [[nodiscard]] ImplementationFacts facts() const override {
    return {name_, "a scribe", ImplementationKind::opencv, 3};
  }
  std::size_t prepare(const ImageView& image, int max_features) override {
    width_ = image.width;
    return max_features > 0 ? static_cast<std::size_t>(max_features) : 1000;
  }
  double run() override {
    if (width_ == fails_at_width_) throw std::runtime_error("it is too wide");
    log_.push_back(name_ + std::to_string(width_));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return ++runs_;
  }
  std::vector<StageTime> stages() override { return {{"writing", 3}, {"reading", 4}}; }

 private:
  std::string name_;
  std::vector<std::string>& log_;
  int fails_at_width_, width_ = 0;
  double runs_ = 0;
};

class MeasureGrid : public testing::Test {
 protected:
  MeasureGrid() : image_(40, 30, 1, PixelType::u8) {
    for (int y = 0; y < 30; ++y) std::fill_n(image_.row(y), 40, std::byte{9});
  }

  [[nodiscard]] std::vector<BenchmarkImage> images() const {
    const auto in_size = [this](ImageSize size) { return resize_and_crop(image_.view(), size); };
    return {{.name = "grey", .pixels = "1 channel", .in_size = in_size}};
  }

  Image image_;
  std::vector<std::string> log_;
  std::vector<std::unique_ptr<BenchmarkImplementation>> implementations_;
};

TEST_F(MeasureGrid, LetsImplementationsTakeTurns) {
  implementations_.push_back(std::make_unique<Scribe>("a", log_));
  implementations_.push_back(std::make_unique<Scribe>("b", log_));
  std::size_t runs = 0, preparations = 0, stages = 0;
  const auto progress = [&](const ProgressStep& next) {
    EXPECT_EQ(next.done, runs);
    EXPECT_EQ(next.total, 2u * 2 * 3 * 2);
    if (next.item.ends_with(", preparation")) {
      ++preparations;
    } else if (next.item.ends_with(", stages")) {
      ++stages;
    } else {
      ++runs;
    }
  };
  const GridMeasurements measured = measure_grid(images(), {.sizes = {{8, 6}, {16, 12}}, .budgets = {50, 0}},
                                                 {.rounds = 2, .warmup = 1}, implementations_, progress);
  EXPECT_EQ(runs, 24u);
  EXPECT_EQ(preparations, 8u);
  EXPECT_EQ(stages, 8u);
  EXPECT_TRUE(measured.problems.empty());
  ASSERT_EQ(measured.results.size(), 8u);
  const std::vector<std::string> first(log_.begin(), log_.begin() + 6);
  EXPECT_EQ(first, (std::vector<std::string>{"a8", "b8", "a8", "b8", "a8", "b8"}));
  const GridResult& result = measured.results[1];
  EXPECT_EQ(result.implementation, "b");
  EXPECT_EQ(result.image, "grey");
  EXPECT_EQ(result.size, (ImageSize{8, 6}));
  EXPECT_FALSE(result.memory.has_value());
  EXPECT_EQ(result.budget, 50);
  EXPECT_EQ(result.keypoints, 50u);
  EXPECT_EQ(result.milliseconds, (std::vector<double>{2, 3}));  // the first run is a warm-up
  ASSERT_EQ(result.stages.size(), 2u);
  EXPECT_EQ(result.stages[1].milliseconds, 4);
  EXPECT_DOUBLE_EQ(result.megapixels(), 48e-6);
  EXPECT_EQ(measured.results[7].keypoints, 1000u);
}

TEST_F(MeasureGrid, LetsAImplementationRestButTimesItOnce) {
  implementations_.push_back(std::make_unique<Scribe>("a", log_));
  const GridMeasurements measured = measure_grid(images(), {.sizes = {{8, 6}}, .budgets = {0}, .seconds = 0},
                                                 {.rounds = 9, .warmup = 2}, implementations_);
  ASSERT_EQ(measured.results.size(), 1u);
  EXPECT_EQ(measured.results[0].milliseconds.size(), 1u);
  EXPECT_LE(log_.size(), 2u);
}

TEST_F(MeasureGrid, LeavesOutOneThatFails) {
  implementations_.push_back(std::make_unique<Scribe>("a", log_, 16));
  implementations_.push_back(std::make_unique<Scribe>("b", log_));
  const GridMeasurements measured = measure_grid(images(), {.sizes = {{8, 6}, {16, 12}, {4, 4}}, .budgets = {0}},
                                                 {.rounds = 1, .warmup = 0}, implementations_);
  EXPECT_EQ(measured.problems, (std::vector<AbsentImplementation>{{"a at 16x12", "it is too wide"}}));
  EXPECT_EQ(measured.problems[0].sentence(), "a at 16x12: it is too wide");
  ASSERT_EQ(measured.results.size(), 4u);
  EXPECT_EQ(std::count_if(measured.results.begin(), measured.results.end(),
                          [](const GridResult& result) { return result.implementation == "b"; }),
            3);
  EXPECT_EQ(measured.results[0].kind, ImplementationKind::opencv);
}

TEST_F(MeasureGrid, RefusesRoundsOutOfRange) {
  EXPECT_THROW(measure_grid(images(), {}, {.rounds = 0}, implementations_), Error);
  EXPECT_THROW(measure_grid(images(), {}, {.warmup = -1}, implementations_), Error);
}

TEST_F(MeasureGrid, TimesOctavoWithTheBudget) {
  for (int y = 8; y < 22; ++y) std::fill_n(image_.row(y) + 12, 14, std::byte{250});
  implementations_.push_back(benchmark_implementation([](int max_features) {
    return Extractor({.max_orientations = 4, .max_features = max_features}, {.name = "cpu", .threads = 1});
  }));
  const ImplementationFacts facts = implementations_[0]->facts();
  EXPECT_EQ(facts.name, "cpu, 1 thread");
  EXPECT_EQ(facts.description.find("vectors, "), 0u);
  EXPECT_EQ(facts.kind, ImplementationKind::cpu);
  EXPECT_EQ(facts.threads, 1);
  const GridMeasurements measured =
      measure_grid(images(), {.sizes = {{80, 60}}, .budgets = {0, 1}}, {.rounds = 1, .warmup = 0}, implementations_);
  ASSERT_EQ(measured.results.size(), 2u);
  EXPECT_GT(measured.results[0].keypoints, 1u);
  EXPECT_EQ(measured.results[1].keypoints, 1u);
  EXPECT_GT(measured.results[0].milliseconds.at(0), 0);
  EXPECT_FALSE(measured.results[0].stages.empty());
  ASSERT_TRUE(measured.results[0].memory.has_value());
  EXPECT_GT(measured.results[0].memory->host, 80u * 60 * sizeof(float));
  EXPECT_EQ(measured.results[0].memory->device, 0u);
}

TEST_F(MeasureGrid, MeasuresEveryImage) {
  implementations_.push_back(std::make_unique<Scribe>("a", log_));
  std::vector<BenchmarkImage> both = images();
  both.push_back(benchmark_chessboard());
  const GridMeasurements measured =
      measure_grid(both, {.sizes = {{16, 8}, {40, 16}}, .budgets = {0}}, {.rounds = 1, .warmup = 0}, implementations_);
  std::vector<std::string> names;
  for (const GridResult& result : measured.results) names.push_back(result.image);
  EXPECT_EQ(names, (std::vector<std::string>{"grey", "grey", "chessboard", "chessboard"}));
  EXPECT_EQ(log_, (std::vector<std::string>{"a16", "a40", "a16", "a40"}));
}

TEST(BenchmarkImages, ComeInEverySize) {
  const BenchmarkImage photograph = benchmark_image("photo", Image(60, 40, 3, PixelType::u16));
  EXPECT_EQ(photograph.pixels, "3 channels, 16 bits");
  const Image scaled = photograph.in_size({30, 10});
  EXPECT_EQ(scaled.width(), 30);
  EXPECT_EQ(scaled.channels(), 3);
  const Image board = benchmark_chessboard().in_size({40, 32});
  EXPECT_EQ(board.row(3)[3], std::byte{0});  // squares of four pixels
  EXPECT_EQ(board.row(3)[4], std::byte{255});
  EXPECT_EQ(board.row(4)[4], std::byte{0});
  EXPECT_EQ(benchmark_chessboard().in_size({5, 3}).height(), 3);
}

TEST(DevicesToCompare, BeginWithTheReference) {
  const std::vector<DeviceOptions> devices = devices_to_compare();
  ASSERT_GE(devices.size(), 3u);
  EXPECT_EQ(devices[0].name, "reference");
  EXPECT_EQ(devices[1].threads, 1);
  EXPECT_EQ(devices[2].name, "cpu");
  EXPECT_EQ(devices[2].threads, 0);
}

}  // namespace
}  // namespace octavo
