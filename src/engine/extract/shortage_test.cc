// Memory that is short at any step of an extraction: the error names it, and the extractor works again.

#include <gtest/gtest.h>

#include <memory>
#include <new>

#include "engine/device/registry.h"
#include "engine/extract/detector.h"
#include "octavo/error.h"
#include "octavo/image.h"

namespace octavo {
namespace {

// What fails next, and how often.
struct Shortage {
  int makes = 0, begins = 0, finishes = 0;
  bool as_bad_alloc = false;

  void meet(int& left) const {
    if (left == 0) return;
    --left;
    if (as_bad_alloc) throw std::bad_alloc();
    throw Error(ErrorCode::out_of_memory, "no memory");
  }
};

// Finds one keypoint, at the place (width, height).
class FakeDetector : public Detector {
 public:
  explicit FakeDetector(Shortage& shortage) : shortage_(shortage) { shortage_.meet(shortage_.makes); }
  void begin(const DetectorJob& job) override {
    shortage_.meet(shortage_.begins);
    width_ = job.image.width;
  }
  DetectedFeatures finish(std::vector<StageTime>*) override {
    shortage_.meet(shortage_.finishes);
    DetectedFeatures found;
    found.features.keypoints.push_back({.x = static_cast<float>(width_)});
    return found;
  }
  [[nodiscard]] MemoryNeed memory_for(const ImageView& image, bool) const override {
    const MemoryBytes bytes{static_cast<std::uint64_t>(image.width), 0};
    return {bytes, bytes};
  }

 private:
  Shortage& shortage_;
  int width_ = 0;
};

class FakeExtractor : public Extractor {
 public:
  explicit FakeExtractor(Shortage& shortage)
      : Extractor(DetectorOnDevices({{.device = resolve_device({.name = "cpu", .threads = 1}),
                                      .gpu = nullptr,
                                      .make = [&shortage] { return std::make_unique<FakeDetector>(shortage); }}})) {}
};

template <class Action>
void expect_shortage(const Action& action) {
  try {
    action();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::out_of_memory) << error.what();
  }
}

class ShortageOf : public testing::TestWithParam<bool> {};

TEST_P(ShortageOf, MemoryIsAnErrorAndTheExtractorWorksAgain) {
  Shortage shortage{.as_bad_alloc = GetParam()};
  FakeExtractor extractor(shortage);
  const Image image(31, 7, 1, PixelType::u8);
  const auto works = [&] {
    EXPECT_EQ(shortage.makes + shortage.begins + shortage.finishes, 0);
    EXPECT_EQ(extractor.estimate(image.view()).front().need.least.host, 31u);
    EXPECT_EQ(extractor.extract(image.view()).keypoints.at(0).x, 31);
    EXPECT_EQ(extractor.collect(extractor.submit(image.view())).keypoints.at(0).x, 31);
  };
  works();
  // A second attempt, without the buffers that are kept, may have enough.
  shortage.begins = 1;
  EXPECT_EQ(extractor.extract(image.view()).keypoints.at(0).x, 31);
  works();
  shortage.begins = 2;
  expect_shortage([&] { extractor.extract(image.view()); });
  works();
  // Nor is there memory for new buffers then.
  shortage.begins = shortage.makes = 1;
  expect_shortage([&] { extractor.extract(image.view()); });
  works();
  shortage.begins = shortage.makes = 1;
  expect_shortage([&] { extractor.submit(image.view()); });
  works();
  extractor.release();
  shortage.makes = 1;
  expect_shortage([&] { static_cast<void>(extractor.estimate(image.view())); });
  works();
  shortage.finishes = 1;
  expect_shortage([&] { extractor.extract(image.view()); });
  works();
  shortage.finishes = 1;
  const Ticket ticket = extractor.submit(image.view());
  expect_shortage([&] { extractor.collect(ticket); });
  works();
}

INSTANTIATE_TEST_SUITE_P(Shortage, ShortageOf, testing::Bool(),
                         [](const auto& as) { return as.param ? "AsTheStandardLibraryTellsIt" : "AsAnErrorOfOctavo"; });

}  // namespace
}  // namespace octavo
