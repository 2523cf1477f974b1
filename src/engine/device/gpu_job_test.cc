// A job records once and replays, grows its lists, downloads likely and unlikely results, and can be used after errors.
// The test's work lists the bright pixels of an image, on OpenCL, which compiles kernels from text.

#include "engine/device/gpu_job.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/device/gpu_room.h"
#include "octavo/error.h"

namespace octavo {
namespace {

constexpr KernelModule kernels{"gpu_job_test", R"(
__kernel void find_bright(__global const uchar* pixels, int count, int has_mask, __global const uchar* mask,
                          int capacity, __global int* places, __global int* values) {
  int i = get_global_id(0);
  if (i >= count || pixels[i] < 100 || (has_mask != 0 && mask[i] == 0)) return;
  int place = atomic_add(places, 1);
  if (place >= capacity) return;
  places[4 + place] = i;
  values[place] = pixels[i];
}
)",
                               nullptr, 0};

constexpr std::size_t head_bytes = 4 * sizeof(std::int32_t);

class BrightPixels : public GpuWork {
 public:
  explicit BrightPixels(std::shared_ptr<Gpu> gpu)
      : gpu_(std::move(gpu)),
        find_(gpu_->kernel(kernels, "find_bright")),
        image_(gpu_),
        mask_(gpu_),
        queue_(gpu_->queue()) {}

  [[nodiscard]] std::unique_ptr<GpuWork> on(const std::shared_ptr<Gpu>& gpu) const override {
    return std::make_unique<BrightPixels>(gpu);
  }
  GpuQueue& queue() override { return *queue_; }

  void prepare(const ImageView& image, bool masked) override {
    ++prepared;
    count_ = image.width * image.height;
    masked_ = masked;
    image_.prepare(image);
    if (masked) mask_.prepare(image);
    if (has_work()) make_lists(std::max<std::size_t>(capacity_, 8));
  }
  [[nodiscard]] bool has_work() const override { return count_ > 1; }
  void release() override {
    ++released;
    image_.release();
    mask_.release();
    places_.reset();
    values_.reset();
    capacity_ = 0;
  }

  ImageOnGpu& image() override { return image_; }
  ImageOnGpu* mask() override { return &mask_; }

  void enqueue(const StageDone& done) override {
    ++enqueued;
    queue_->clear(*places_, 0, head_bytes);
    done("clear");
    queue_->launch(*find_, {{static_cast<unsigned>(count_ + 63) / 64, 1, 1}, {64, 1, 1}}, image_.pixels(), count_,
                   static_cast<int>(masked_), masked_ ? mask_.pixels() : image_.pixels(), static_cast<int>(capacity_),
                   *places_, *values_);
    done("find");
    queue_->download(&found_, *places_, 0, sizeof found_);
  }

  bool lists_grew(const std::byte* head) override {
    if (head) {
      EXPECT_EQ(std::memcmp(head, &found_, sizeof found_), 0);
    }
    if (results(head) <= capacity_) return false;
    make_lists(results(head));
    return true;
  }
  [[nodiscard]] std::size_t results(const std::byte*) const override { return found_; }
  [[nodiscard]] std::size_t capacity() const override { return capacity_; }
  [[nodiscard]] std::size_t likely_results() const override { return 4; }
  [[nodiscard]] std::vector<GpuResultList> lists() const override {
    return {{*places_, sizeof(std::int32_t), head_bytes}, {*values_, sizeof(std::int32_t)}};
  }

  int prepared = 0, enqueued = 0, released = 0;

 private:
  void make_lists(std::size_t capacity) {
    make_room(*gpu_, places_, head_bytes + capacity * sizeof(std::int32_t));
    make_room(*gpu_, values_, capacity * sizeof(std::int32_t));
    capacity_ = capacity;
    queue_->clear(*places_, 0, places_->bytes());
    queue_->clear(*values_, 0, values_->bytes());
  }

  std::shared_ptr<Gpu> gpu_;
  std::unique_ptr<GpuKernel> find_;
  ImageOnGpu image_, mask_;
  std::unique_ptr<GpuBuffer> places_, values_;
  std::size_t capacity_ = 0;
  std::uint32_t found_ = 0;
  int count_ = 0;
  bool masked_ = false;
  // The last member: its destructor waits for the work before the buffers are destroyed.
  std::unique_ptr<GpuQueue> queue_;
};

using Pixels = std::vector<std::pair<int, int>>;  // place and value

// The first `bright` pixels are bright, with values from 100 on.
struct TestImage {
  TestImage(int width, int height, int bright) : pixels(static_cast<std::size_t>(width) * height) {
    for (int i = 0; i < bright; ++i) pixels[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(100 + i % 100);
    view = {reinterpret_cast<const std::byte*>(pixels.data()), width, height, 1, PixelType::u8, width};
  }
  std::vector<std::uint8_t> pixels;
  ImageView view;

  [[nodiscard]] Pixels bright(const ImageView* mask = nullptr) const {
    Pixels found;
    for (int i = 0; i < static_cast<int>(pixels.size()); ++i) {
      const int value = pixels[static_cast<std::size_t>(i)];
      if (value >= 100 && (!mask || mask->row(0)[i] != std::byte{0})) found.emplace_back(i, value);
    }
    return found;
  }
};

Pixels fetched(GpuJob& job, std::size_t results) {
  Pixels found;
  job.fetch(results, [&](std::size_t count, const std::vector<const std::byte*>& lists) {
    const auto* places = reinterpret_cast<const std::int32_t*>(lists[0]);
    const auto* values = reinterpret_cast<const std::int32_t*>(lists[1]);
    for (std::size_t i = 0; i < count; ++i) found.emplace_back(places[i], values[i]);
  });
  std::sort(found.begin(), found.end());
  return found;
}

Pixels finished(GpuJob& job) {
  Pixels found;
  job.finish([&](std::size_t results) {
    found = fetched(job, results);
    EXPECT_EQ(found.size(), results);
  });
  return found;
}

Pixels run(GpuJob& job, const TestImage& image) {
  job.begin({.image = image.view});
  return finished(job);
}

class GpuJobTest : public testing::Test {
 protected:
  void SetUp() override {
    if (opencl_.gpus.empty()) GTEST_SKIP() << opencl_.missing;
    open(0);
  }
  void open(std::size_t memory_limit) {
    job.reset();
    work.reset();
    const std::shared_ptr<Gpu> gpu = opencl_.gpus.front().open(memory_limit, {});
    work = std::make_unique<BrightPixels>(gpu);
    job = std::make_unique<GpuJob>(gpu, *work, std::make_shared<CpuPool>(1));
  }

  std::unique_ptr<BrightPixels> work;
  std::unique_ptr<GpuJob> job;

 private:
  GpuDriver opencl_ = find_opencl_gpus();
};

TEST_F(GpuJobTest, RecordsOnceForAShape) {
  for (int bright = 0; bright < 8; ++bright) {
    const TestImage image(20, 10, bright);
    ASSERT_EQ(run(*job, image), image.bright());
  }
  EXPECT_EQ(work->prepared, 1);
  EXPECT_EQ(work->enqueued, 1);
  const TestImage other(10, 20, 3);
  EXPECT_EQ(run(*job, other), other.bright());
  EXPECT_EQ(work->prepared, 2);
  EXPECT_EQ(work->enqueued, 2);
  EXPECT_EQ(work->released, 0);
}

TEST_F(GpuJobTest, AnImageWithoutWorkHasNoResults) {
  const TestImage tiny(1, 1, 1), image(4, 4, 2);
  EXPECT_TRUE(run(*job, tiny).empty());
  EXPECT_EQ(work->enqueued, 0);
  EXPECT_EQ(run(*job, image), image.bright());
  EXPECT_TRUE(run(*job, tiny).empty());
}

TEST_F(GpuJobTest, ListsThatAreTooShortGrow) {
  const TestImage few(100, 70, 5), many(100, 70, 3000);
  EXPECT_EQ(run(*job, few), few.bright());
  EXPECT_EQ(run(*job, many), many.bright());
  EXPECT_EQ(work->enqueued, 2);  // once more for the longer lists
  EXPECT_EQ(run(*job, few), few.bright());
  EXPECT_EQ(run(*job, many), many.bright());
  EXPECT_EQ(work->enqueued, 2);
  EXPECT_EQ(work->prepared, 1);
}

// The lists are long enough from the first image on, but a later image has many more results than the ones before it.
TEST_F(GpuJobTest, ResultsThatWereNotLikelyTakeASecondDownload) {
  EXPECT_EQ(run(*job, TestImage(100, 70, 5000)).size(), 5000u);
  const TestImage few(70, 100, 1), many(70, 100, 4999);
  for (int i = 0; i < 40; ++i) ASSERT_EQ(run(*job, few), few.bright());
  EXPECT_EQ(run(*job, many), many.bright());
  EXPECT_EQ(run(*job, many), many.bright());
}

TEST_F(GpuJobTest, MasksAreAShapeOfTheirOwn) {
  const TestImage image(20, 10, 6);
  TestImage mask(20, 10, 0);
  for (const std::size_t i : {0u, 2u, 3u}) mask.pixels[i] = 1;
  for (int i = 0; i < 2; ++i) {
    job->begin({.image = image.view, .mask = &mask.view});
    EXPECT_EQ(finished(*job), image.bright(&mask.view));
    EXPECT_EQ(run(*job, image), image.bright());
  }
  EXPECT_EQ(work->prepared, 4);
}

TEST_F(GpuJobTest, TimesHaveTheStagesInOrder) {
  const TestImage image(20, 10, 6), many(20, 10, 60);
  for (const TestImage* p : {&image, &many}) {  // the second grows a list, and its stages count once
    job->begin({.image = p->view, .timed = true});
    EXPECT_EQ(finished(*job), p->bright());
    std::vector<std::string> stages;
    for (const StageTime& time : job->times()) stages.push_back(time.stage);
    EXPECT_EQ(stages, (std::vector<std::string>{"upload", "clear", "find", "download"}));
  }
  EXPECT_EQ(work->enqueued, 3);  // not recorded
  EXPECT_EQ(run(*job, image), image.bright());
  EXPECT_TRUE(job->times().empty());
}

TEST_F(GpuJobTest, ResultsMayStay) {
  const TestImage image(20, 10, 6);
  job->begin({.image = image.view, .stays = true});
  std::vector<std::int32_t> values(6);
  Pixels found;
  job->finish([&](std::size_t results) {
    ASSERT_EQ(results, 6u);
    work->queue().download(values.data(), work->lists()[1].buffer, 0, 6 * sizeof(std::int32_t));
    work->queue().wait();
    found = fetched(*job, results);  // the results can still be downloaded
  });
  std::sort(values.begin(), values.end());
  EXPECT_EQ(values, (std::vector<std::int32_t>{100, 101, 102, 103, 104, 105}));
  EXPECT_EQ(found, image.bright());
}

TEST_F(GpuJobTest, AnImageMayBeAbandoned) {
  const TestImage first(200, 150, 900), second(20, 10, 6);
  for (int i = 0; i < 5; ++i) {
    job->begin({.image = first.view});
    ASSERT_EQ(run(*job, second), second.bright());
  }
  job->begin({.image = first.view});  // never finished
}

TEST_F(GpuJobTest, WhatDoesNotFitIsNotInTheWay) {
  open(std::size_t{256} << 10);
  const TestImage large(600, 500, 10), small(300, 200, 9), dense(400, 300, 100'000);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(run(*job, small), small.bright());
    EXPECT_THROW(job->begin({.image = large.view}), Error);  // there is no room for its pixels
    EXPECT_EQ(run(*job, small), small.bright());
    job->begin({.image = dense.view});
    EXPECT_THROW(finished(*job), Error);  // there is no room for its lists
  }
  EXPECT_EQ(run(*job, small), small.bright());
  EXPECT_EQ(work->released, 6);
}

TEST_F(GpuJobTest, AnErrorOfTheTakerIsTheJobs) {
  const TestImage image(20, 10, 6);
  job->begin({.image = image.view});
  EXPECT_THROW(job->finish([](std::size_t) { throw std::runtime_error("no"); }), std::runtime_error);
  EXPECT_EQ(work->released, 1);
  EXPECT_EQ(run(*job, image), image.bright());
}

}  // namespace
}  // namespace octavo
