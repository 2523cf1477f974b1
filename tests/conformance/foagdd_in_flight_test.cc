// Corners of several images in flight, with lists that grow and memory that runs out. The features are always those of
// the reference.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/foagdd/foagdd.h"
#include "engine/selftest/images.h"
#include "octavo/error.h"
#include "octavo/foagdd.h"
#include "octavo/image.h"
#include "tests/conformance/contenders.h"

namespace octavo {
namespace {

const std::vector<FoagddOptions> option_sets{
    {.corner_threshold = 2},
    {.corner_threshold = 2, .describe = true},
    {.corner_threshold = 2, .describe = true, .upright = true, .max_features = 12, .grid = 2},
    {.corner_threshold = 2, .describe = true, .descriptor = DescriptorKind::rootsift, .max_features = 20}};

// Options that give as many corners as possible.
constexpr FoagddOptions greedy_in_flight{.verify_scales = 1, .corner_threshold = -6};

// The least descriptor_scale [pixel], for tests that are not about descriptors: they take a quarter of the usual time.
constexpr double small_windows = 1.6;

TEST(FoagddInFlight, Batches) {
  for (const FoagddOptions& options : option_sets) {
    std::vector<Image> images;
    std::vector<Features> expected;
    const Image mask = images::checkerboard(64 + 2 * 17, 54, 20);
    Foagdd reference(options, {.name = "reference"});
    const auto mask_of = [&](std::size_t i) {  // every third image has a mask; these images have one size
      return i % 3 == 2 ? &mask.view() : nullptr;
    };
    for (std::size_t i = 0; i < 32; ++i) {
      const int width = 64 + static_cast<int>(i % 3) * 17, height = i % 3 == 2 ? 54 : 50 + static_cast<int>(i % 5);
      images.push_back(images::blobs(width, height, PixelType::u8, 1, i));
      expected.push_back(reference.extract(images.back().view(), mask_of(i)));
    }
    std::vector<std::string> devices{"cpu"};
    for (const std::string& name : gpu_names()) {
      devices.push_back(name);
      devices.push_back(name + "," + name);  // stands for a machine with two GPUs
    }
    for (const std::string& name : devices) {
      Foagdd foagdd(options, {.name = name});
      EXPECT_EQ(foagdd.best_in_flight(), name == "cpu" ? 1 : 4 * (1 + std::count(name.begin(), name.end(), ',')));
      for (const std::size_t batch : {1u, 2u, 7u, 32u}) {
        std::vector<Ticket> tickets;
        for (std::size_t i = 0; i < batch; ++i) {
          const Keep keep = i % 2 == 0 ? Keep::in_host_memory : Keep::on_device;
          tickets.push_back(foagdd.submit(images[i].view(), mask_of(i), keep));
        }
        for (std::size_t i = batch; i-- > 0;) {  // in reverse order, since any order is allowed
          ASSERT_TRUE(foagdd.collect(tickets[i]) == expected[i]) << name << ", " << i << " of " << batch;
        }
        EXPECT_THROW(foagdd.collect(tickets[0]), Error);
      }
    }
  }
}

TEST(FoagddInFlight, AHundredRunsGiveOneAnswerBesideOthers) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "no GPU: neither CUDA nor OpenCL offers one";
  const Image image = images::noise(150, 130), other = images::blobs(150, 130);
  for (FoagddOptions options :
       {greedy_in_flight, FoagddOptions{.corner_threshold = 2, .describe = true, .descriptor_scale = small_windows}}) {
    const Features expected = Foagdd(options, {.name = "cpu"}).extract(image.view());
    ASSERT_GT(expected.size(), 100u);
    for (const std::string& name : gpus) {
      Foagdd foagdd(options, {.name = name});
      for (int run = 0; run < 100; ++run) {
        const Ticket first = foagdd.submit(image.view());
        foagdd.submit(other.view());  // never collected
        if (run % 10 == 0) {
          ASSERT_TRUE(foagdd.extract(image.view()) == expected) << name << ", " << run;
        }
        ASSERT_TRUE(foagdd.collect(first) == expected) << name << ", " << run;
      }
    }
  }
}

// More candidates than the list can hold, then few, then more again: the recording and the expected length change.
TEST(FoagddInFlight, ListsGrow) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "no GPU: neither CUDA nor OpenCL offers one";
  const Image many = images::checkerboard(600, 400, 4), none = images::checkerboard(600, 400, 2000);
  const Image few = images::blobs(600, 400);
  for (const std::string& name : gpus) {
    Foagdd gpu(greedy_in_flight, {.name = name}), cpu(greedy_in_flight, {.name = "cpu"});
    ASSERT_GT(cpu.extract(many.view()).size(), 16384u);
    for (const Image* image : {&none, &few, &many, &many, &none, &few, &none, &many}) {
      std::vector<StageTime> times;
      const bool timed = image == &many;
      ASSERT_TRUE(gpu.extract(image->view(), nullptr, timed ? &times : nullptr) == cpu.extract(image->view())) << name;
      if (timed) {
        EXPECT_EQ(times.front().stage, "upload");
      }
    }
    std::vector<Ticket> tickets;
    for (int i = 0; i < 7; ++i) tickets.push_back(gpu.submit((i % 2 == 0 ? many : few).view()));
    for (int i = 0; i < 7; ++i) {
      const Image& image = i % 2 == 0 ? many : few;
      ASSERT_TRUE(gpu.collect(tickets[static_cast<std::size_t>(i)]) == cpu.extract(image.view())) << name << ", " << i;
    }
  }
}

// The lists of described corners grow too: candidates, corners, and their orientations.
void expect_lists_of_described_corners_to_grow(int max_features, std::size_t least) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "no GPU: neither CUDA nor OpenCL offers one";
  const Image many = images::checkerboard(600, 400, 4), none = images::checkerboard(600, 400, 2000);
  const Image few = images::blobs(600, 400);
  FoagddOptions options = greedy_in_flight;
  options.describe = true;
  options.descriptor_scale = small_windows;
  options.max_features = max_features;
  Foagdd cpu(options, {.name = "cpu"});
  const Features of_many = cpu.extract(many.view()), of_none = cpu.extract(none.view());
  const Features of_few = cpu.extract(few.view());
  ASSERT_GT(of_many.size(), least);
  const auto expected = [&](const Image* image) -> const Features& {
    return image == &many ? of_many : image == &few ? of_few : of_none;
  };
  for (const std::string& name : gpus) {
    Foagdd gpu(options, {.name = name});
    for (const Image* image : {&none, &many, &few, &many}) {
      std::vector<StageTime> times;
      ASSERT_TRUE(gpu.extract(image->view(), nullptr, image == &many ? &times : nullptr) == expected(image)) << name;
    }
    std::vector<Ticket> tickets;
    for (int i = 0; i < 3; ++i) {
      const Keep keep = i % 2 == 0 ? Keep::on_device : Keep::in_host_memory;
      tickets.push_back(gpu.submit((i % 2 == 0 ? many : few).view(), nullptr, keep));
    }
    for (std::size_t i = 0; i < tickets.size(); ++i) {
      ASSERT_TRUE(gpu.collect(tickets[i]) == (i % 2 == 0 ? of_many : of_few)) << name << ", " << i;
    }
  }
}

TEST(FoagddInFlight, ListsOfTheBestDescribedCornersGrow) { expect_lists_of_described_corners_to_grow(3000, 2'000); }

TEST(FoagddInFlight, ListsOfAllDescribedCornersGrow) { expect_lists_of_described_corners_to_grow(0, 20'000); }

// Holds for every buffer that may be the one that does not fit.
TEST(FoagddInFlight, AnImageThatDoesNotFitDoesNotStandInTheWayOfTheNext) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "no GPU: neither CUDA nor OpenCL offers one";
  const Image large = images::noise(400, 300), small = images::blobs(90, 80);
  for (FoagddOptions options : option_sets) {
    options.descriptor_scale = small_windows;
    const Features of_small = Foagdd(options, {.name = "cpu"}).extract(small.view());
    const Features of_large = Foagdd(options, {.name = "cpu"}).extract(large.view());
    for (const std::string& name : gpus) {
      int refused = 0, found = 0;
      for (std::size_t kib = 2 << 10; kib < 16 << 10; kib += 1 << 10) {
        Foagdd foagdd(options, {.name = name, .gpu_memory = kib << 10});
        try {
          ASSERT_TRUE(foagdd.extract(large.view()) == of_large) << name << ", " << kib << " KiB";
          ++found;
        } catch (const Error& e) {
          EXPECT_EQ(e.code(), ErrorCode::out_of_memory) << e.what();
          ++refused;
        }
        ASSERT_TRUE(foagdd.extract(small.view()) == of_small) << name << ", " << kib << " KiB";
        if (options.describe) continue;  // the memory of descriptors grows with the number of corners
        std::vector<Ticket> tickets;     // only a few of their images may fit at a time
        for (int i = 0; i < 5; ++i) tickets.push_back(foagdd.submit(small.view()));
        for (const Ticket ticket : tickets) ASSERT_TRUE(foagdd.collect(ticket) == of_small) << name << ", " << kib;
      }
      EXPECT_GT(refused, 3) << name;
      EXPECT_GT(found, 3) << name;
    }
  }
}

// collect() throws the errors that occur after submit(). They do not affect other images.
TEST(FoagddInFlight, AListThatCannotGrowFailsItsOwnImageAlone) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "no GPU: neither CUDA nor OpenCL offers one";
  const Image dense = images::checkerboard(600, 400, 4), sparse = images::blobs(600, 400);
  Foagdd cpu(greedy_in_flight, {.name = "cpu"});
  const Features of_dense = cpu.extract(dense.view()), of_sparse = cpu.extract(sparse.view());
  for (const std::string& name : gpus) {
    int refused = 0, found = 0;
    for (std::size_t kib = 10 << 10; kib < 11 << 10; kib += 64) {
      Foagdd foagdd(greedy_in_flight, {.name = name, .gpu_memory = kib << 10});
      try {
        const Ticket before = foagdd.submit(sparse.view()), ticket = foagdd.submit(dense.view());
        const Ticket after = foagdd.submit(sparse.view());
        try {
          EXPECT_TRUE(foagdd.collect(ticket) == of_dense) << name << ", " << kib;
          ++found;
        } catch (const Error& e) {
          EXPECT_EQ(e.code(), ErrorCode::out_of_memory) << e.what();
          ++refused;
        }
        EXPECT_TRUE(foagdd.collect(before) == of_sparse) << name << ", " << kib;
        EXPECT_TRUE(foagdd.collect(after) == of_sparse) << name << ", " << kib;
      } catch (const Error& e) {  // submit() failed already
        EXPECT_EQ(e.code(), ErrorCode::out_of_memory) << e.what();
      }
    }
    EXPECT_GT(refused, 0) << name;
    EXPECT_GT(found, 0) << name;
  }
}

// An extractor stays usable when an image was submitted and not collected.
TEST(FoagddInFlight, AnImageMayBeAbandoned) {
  const Image first = images::noise(200, 150), second = images::blobs(200, 150);
  std::vector<std::string> devices = gpu_names();
  devices.push_back("cpu");
  for (const std::string& name : devices) {
    const auto engine = make_foagdd_engine(greedy_in_flight, {.name = name});
    const auto expected = make_foagdd_engine(greedy_in_flight, {.name = "reference"})->detect(second.view());
    for (int i = 0; i < 5; ++i) {
      engine->begin({.image = first.view()});
      ASSERT_EQ(engine->detect(second.view()), expected) << name;
    }
  }
}

}  // namespace
}  // namespace octavo
