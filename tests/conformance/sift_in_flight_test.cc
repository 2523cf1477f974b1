// Several images in flight: whichever way they are submitted and in whatever order they are collected, each has the
// features that it has alone.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "engine/selftest/images.h"
#include "octavo/batch.h"
#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/sift_options.h"
#include "tests/conformance/contenders.h"

namespace octavo {
namespace {

TEST(SiftConformance, BatchesInFlight) {
  std::vector<Image> images;
  std::vector<Features> expected;
  Extractor reference({}, {.name = "reference"});
  for (int i = 0; i < 32; ++i) {
    images.push_back(images::blobs(60 + i % 3 * 17, 50 + i % 5, PixelType::u8, 1, static_cast<std::uint64_t>(i)));
    expected.push_back(reference.extract(images.back().view()));
  }
  std::vector<std::string> devices{"cpu"};
  for (const std::string& name : gpu_names()) {
    devices.push_back(name);
    devices.push_back(name + "," + name + "," + name);  // stands for a machine with three GPUs
  }
  for (const std::string& name : devices) {
    Extractor extractor({}, {.name = name});
    EXPECT_EQ(extractor.device(), name);
    EXPECT_EQ(extractor.best_in_flight(), name == "cpu" ? 1 : 4 * (1 + std::count(name.begin(), name.end(), ',')));
    for (std::size_t batch : {1u, 2u, 7u, 32u}) {
      for (const Pixels pixels : {Pixels::until_submitted, Pixels::until_collected}) {
        std::vector<Ticket> tickets;
        for (std::size_t i = 0; i < batch; ++i) {
          tickets.push_back(extractor.submit(images[i].view(), nullptr, Keep::in_host_memory, pixels));
        }
        for (std::size_t i = batch; i-- > 0;) {  // in reverse order, since any order is allowed
          ASSERT_TRUE(extractor.collect(tickets[i]) == expected[i]) << name << ", " << i << " of " << batch;
        }
        EXPECT_THROW(extractor.collect(tickets[0]), Error);
      }
    }
    std::vector<BatchImage> to_load;
    for (const Image& image : images) to_load.push_back({"", [&image] { return LoadedImage{image.clone()}; }});
    Batch batch(extractor, to_load);
    while (const std::optional<BatchResult> result = batch.next()) {
      ASSERT_TRUE(result->features == expected[result->index]) << name << ", " << result->index << result->problem;
    }
  }
}

TEST(SiftConformance, ImagesInFlightDoNotDisturbOneThatIsExtractedAtOnce) {
  const Image first = images::blobs(90, 80), second = images::blobs(70, 100);
  Extractor cpu({}, {.name = "cpu"});
  const Features expected_first = cpu.extract(first.view()), expected_second = cpu.extract(second.view());
  for (const std::string& name : gpu_names()) {
    Extractor extractor({}, {.name = name});
    for (int i = 0; i < 10; ++i) {
      const Pixels pixels = i % 2 == 0 ? Pixels::until_submitted : Pixels::until_collected;
      const Ticket ticket = extractor.submit(first.view(), nullptr, Keep::in_host_memory, pixels);
      ASSERT_TRUE(extractor.extract(second.view()) == expected_second) << name;
      ASSERT_TRUE(extractor.collect(ticket) == expected_first) << name;
      extractor.submit(first.view(), nullptr, Keep::in_host_memory, pixels);  // never collected
    }
  }
}

TEST(SiftConformance, AnExtractorMayGoWhileImagesWait) {
  const Image image = images::blobs(200, 150);
  for (const std::string& name : gpu_names()) {
    for (int images : {1, 3, 4}) {
      Extractor extractor({}, {.name = name});
      for (int i = 0; i < images; ++i) {
        extractor.submit(image.view(), nullptr, Keep::in_host_memory, Pixels::until_collected);
      }
      extractor.submit(image.view());
    }
  }
}

// If the memory does not suffice for all images in flight, fewer are in flight at a time.
TEST(SiftConformance, ImagesInFlightMakeDoWithTheMemoryForOne) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "no GPU: neither CUDA nor OpenCL offers one";
  const Image image = images::blobs(400, 300);
  const Features expected = Extractor({}, {.name = "cpu"}).extract(image.view());
  for (const std::string& name : gpus) {
    for (const std::size_t mib : {25, 45, 90}) {
      for (const Pixels pixels : {Pixels::until_submitted, Pixels::until_collected}) {
        Extractor extractor({}, {.name = name, .gpu_memory = mib << 20});
        std::vector<Ticket> tickets;
        for (int i = 0; i < 7; ++i) {
          tickets.push_back(extractor.submit(image.view(), nullptr, Keep::in_host_memory, pixels));
        }
        for (const Ticket ticket : tickets) ASSERT_TRUE(extractor.collect(ticket) == expected) << name << ", " << mib;
      }
    }
  }
}
TEST(SiftConformance, BudgetsWithMasksAndInFlight) {
  const Image mask = images::checkerboard(150, 120, 30);
  std::vector<Image> images;
  for (int i = 0; i < 12; ++i) {  // images that are too small, images without keypoints, and others
    images.push_back(i % 6 == 4   ? images::noise(3, 3)
                     : i % 6 == 5 ? images::checkerboard(150, 120, 500)
                                  : images::blobs(150, 120, PixelType::u8, 1, static_cast<std::uint64_t>(i)));
  }
  for (const SiftOptions& options :
       {SiftOptions{.max_features = 12}, SiftOptions{.max_features = 12, .rank = Rank::scale, .grid = 3}}) {
    Extractor reference(options, {.name = "reference"});
    std::vector<Features> expected;
    const auto mask_of = [&](std::size_t i) { return i % 2 == 0 && i % 6 != 4 ? &mask.view() : nullptr; };
    for (std::size_t i = 0; i < images.size(); ++i) {
      expected.push_back(reference.extract(images[i].view(), mask_of(i)));
    }
    EXPECT_EQ(expected[0].size(), 12u);
    EXPECT_EQ(expected[1].size(), 12u);
    for (const std::string& name : gpu_names()) {
      for (const std::string& device : {name, name + "," + name}) {
        Extractor extractor(options, {.name = device});
        std::vector<Ticket> tickets;
        for (std::size_t i = 0; i < images.size(); ++i) {
          const Keep keep = i % 3 == 0 ? Keep::on_device : Keep::in_host_memory;
          const Pixels pixels = i % 4 < 2 ? Pixels::until_submitted : Pixels::until_collected;
          tickets.push_back(extractor.submit(images[i].view(), mask_of(i), keep, pixels));
        }
        for (std::size_t i = 0; i < images.size(); ++i) {
          ASSERT_TRUE(extractor.collect(tickets[i]) == expected[i]) << device << ", " << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace octavo
