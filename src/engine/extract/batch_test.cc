// A batch gives what single extractions give, in order; one image's failure is no other's; it can be left at any time.

#include "octavo/batch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <new>
#include <stdexcept>
#include <thread>

#include "octavo/error.h"
#include "octavo/sift_options.h"

namespace octavo {
namespace {

// Dots, at other places for another seed.
Image dots(std::uint32_t seed) {
  constexpr int side = 96;
  Image image(side, side, 1, PixelType::u8);
  for (int y = 0; y < side; ++y) std::fill_n(image.row(y), side, std::byte{40});
  for (int i = 0; i < 12; ++i) {
    seed = seed * 1664525u + 1013904223u;
    const int x0 = 10 + static_cast<int>((seed >> 8) % 76), y0 = 10 + static_cast<int>((seed >> 20) % 76);
    for (int y = y0 - 3; y <= y0 + 3; ++y) {
      for (int x = x0 - 3; x <= x0 + 3; ++x) image.row(y)[x] = std::byte{220};
    }
  }
  return image;
}

BatchImage image_of(std::uint32_t seed) {
  return {"image " + std::to_string(seed), [seed] { return LoadedImage{dots(seed)}; }};
}

std::vector<BatchImage> images_of(std::uint32_t count) {
  std::vector<BatchImage> images;
  for (std::uint32_t i = 0; i < count; ++i) images.push_back(image_of(i));
  return images;
}

const DeviceOptions on_cpu{.name = "cpu", .threads = 1};

std::vector<BatchResult> all_of(Batch& batch) {
  std::vector<BatchResult> results;
  while (std::optional<BatchResult> result = batch.next()) results.push_back(std::move(*result));
  return results;
}

void expect_as_extracted(const std::vector<BatchResult>& results, Extractor& extractor) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    const BatchResult& result = results[i];
    EXPECT_EQ(result.index, i);
    EXPECT_TRUE(result.problem.empty()) << result.problem;
    EXPECT_FALSE(result.failure);
    const Features alone = extractor.extract(dots(static_cast<std::uint32_t>(i)).view());
    EXPECT_GT(alone.size(), 0u);
    EXPECT_EQ(result.features.keypoints, alone.keypoints);
    EXPECT_EQ(result.features.descriptors, alone.descriptors);
    EXPECT_EQ(result.image.width(), 96);
  }
}

TEST(Batch, GivesTheFeaturesOfEachImageInOrder) {
  Extractor extractor({}, on_cpu);
  for (const int in_flight : {0, 1, 3, 20}) {
    for (const int loads : {0, 1, 5, 20}) {
      Batch batch(extractor, images_of(7), {.in_flight = in_flight, .loads_at_a_time = loads});
      const std::vector<BatchResult> results = all_of(batch);
      ASSERT_EQ(results.size(), 7u);
      expect_as_extracted(results, extractor);
      EXPECT_FALSE(batch.next());
    }
  }
}

TEST(Batch, OfNothingIsOver) {
  Extractor extractor({}, on_cpu);
  EXPECT_FALSE(Batch(extractor, std::vector<BatchImage>()).next());
  EXPECT_FALSE(Batch(extractor, BatchSource()).next());
}

TEST(Batch, TakesTheImagesOfASourceAFewAheadOfTheirResults) {
  Extractor extractor({}, on_cpu);
  for (const int in_flight : {1, 4}) {
    std::uint32_t given = 0;
    const auto source = [&]() -> std::optional<BatchImage> {
      if (given == 9) return std::nullopt;
      return image_of(given++);
    };
    Batch batch(extractor, source, {.in_flight = in_flight, .loads_at_a_time = 2});
    std::vector<BatchResult> results;
    while (std::optional<BatchResult> result = batch.next()) {
      results.push_back(std::move(*result));
      EXPECT_LE(given, results.size() + static_cast<std::size_t>(in_flight) + 2);
    }
    ASSERT_EQ(results.size(), 9u);
    expect_as_extracted(results, extractor);
  }
}

TEST(Batch, ThrowsWhatTheSourceThrowsAfterTheResultsBefore) {
  Extractor extractor({}, on_cpu);
  std::uint32_t given = 0;
  const auto source = [&]() -> std::optional<BatchImage> {
    if (given == 5) throw Error(ErrorCode::file_error, "the film ends in the middle");
    return image_of(given++);
  };
  Batch batch(extractor, source, {.in_flight = 3});
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(batch.next());
  EXPECT_THROW(batch.next(), Error);
  EXPECT_FALSE(batch.next());
}

TEST(Batch, KeepsTheFailureOfOneImageFromTheOthers) {
  Extractor extractor({}, on_cpu);
  std::vector<BatchImage> images = images_of(8);
  images[0].load = []() -> LoadedImage { throw Error(ErrorCode::file_error, "cannot read 'image 0'"); };
  images[2].load = []() -> LoadedImage { throw std::bad_alloc(); };
  images[3].load = []() -> LoadedImage { throw 7; };
  images[5].load = [] { return LoadedImage{dots(5), std::make_shared<const Image>(3, 4, 1, PixelType::u8)}; };
  images[6].load = [] { return LoadedImage{}; };
  images[7].load = nullptr;
  for (const int in_flight : {1, 4}) {
    Batch batch(extractor, images, {.in_flight = in_flight});
    const std::vector<BatchResult> results = all_of(batch);
    ASSERT_EQ(results.size(), 8u);
    EXPECT_EQ(results[0].problem, "cannot read 'image 0'");
    EXPECT_EQ(results[2].problem, "image 2: out of memory");
    EXPECT_THROW(std::rethrow_exception(results[2].failure), std::bad_alloc);
    EXPECT_EQ(results[3].problem, "image 3: an unknown error");
    EXPECT_THROW(std::rethrow_exception(results[3].failure), int);
    EXPECT_EQ(results[5].problem, "image 5: the mask is 3×4 pixels, but the image is 96×96");
    EXPECT_THROW(std::rethrow_exception(results[5].failure), Error);
    EXPECT_EQ(results[5].image.width(), 96);
    EXPECT_EQ(results[6].problem.find("image 6: the image has no pixels"), 0u) << results[6].problem;
    EXPECT_THROW(std::rethrow_exception(results[7].failure), std::bad_function_call);
    for (const std::size_t i : {1u, 4u}) {
      EXPECT_TRUE(results[i].problem.empty());
      EXPECT_EQ(results[i].features.keypoints, extractor.extract(results[i].image.view()).keypoints);
    }
    for (const BatchResult& result : results) EXPECT_EQ(result.failure != nullptr, !result.problem.empty());
  }
}

TEST(Batch, DoesAnImageThatLackedMemoryAgainAlone) {
  Extractor extractor({}, on_cpu);
  for (const int in_flight : {1, 2, 5}) {
    for (const int loads : {1, 4}) {
      std::atomic<int> loading = 0, tries = 0, alone = 0;
      std::vector<BatchImage> images;
      for (std::uint32_t i = 0; i < 9; ++i) {
        images.push_back({"image " + std::to_string(i), [&, i] {
                            const int now = ++loading;
                            if (i == 4 && ++tries > 1) alone = now == 1;
                            std::this_thread::sleep_for(std::chrono::milliseconds(2));
                            --loading;
                            if (i == 4 && tries == 1) throw Error(ErrorCode::out_of_memory, "no memory for image 4");
                            return LoadedImage{dots(i)};
                          }});
      }
      Batch batch(extractor, std::move(images), {.in_flight = in_flight, .loads_at_a_time = loads});
      const std::vector<BatchResult> results = all_of(batch);
      ASSERT_EQ(results.size(), 9u);
      expect_as_extracted(results, extractor);
      EXPECT_EQ(tries, 2);
      EXPECT_TRUE(alone);
    }
  }
}

TEST(Extractor, GivesTheSameAfterItsBuffersWereReleased) {
  Extractor extractor({}, on_cpu);
  const Image image = dots(3);
  const Features before = extractor.extract(image.view());
  const Ticket ticket = extractor.submit(image.view());
  extractor.release();
  EXPECT_EQ(extractor.collect(ticket).keypoints, before.keypoints);
  EXPECT_EQ(extractor.extract(image.view()).keypoints, before.keypoints);
}

TEST(Batch, AppliesTheMaskOfEachImage) {
  Extractor extractor({}, on_cpu);
  const auto mask = std::make_shared<Image>(96, 96, 1, PixelType::u8);
  for (int y = 0; y < 96; ++y) std::fill_n(mask->row(y), 96, y < 48 ? std::byte{255} : std::byte{0});
  std::vector<BatchImage> images = images_of(2);
  images[1].load = [mask] { return LoadedImage{dots(1), mask}; };
  Batch batch(extractor, images);
  const std::vector<BatchResult> results = all_of(batch);
  ASSERT_EQ(results.size(), 2u);
  const Image second = dots(1);
  EXPECT_EQ(results[1].features.keypoints, extractor.extract(second.view(), &mask->view()).keypoints);
  EXPECT_LT(results[1].features.size(), extractor.extract(second.view()).size());
  EXPECT_GT(results[1].features.size(), 0u);
}

TEST(Batch, LoadsNoMoreAtATimeThanItMay) {
  Extractor extractor({}, on_cpu);
  std::atomic<int> loading = 0, most = 0;
  std::vector<BatchImage> images;
  for (std::uint32_t i = 0; i < 12; ++i) {
    images.push_back({"", [&, i] {
                        const int now = ++loading;
                        for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
                        }
                        std::this_thread::sleep_for(std::chrono::milliseconds(5));
                        --loading;
                        return LoadedImage{dots(i)};
                      }});
  }
  Batch batch(extractor, images, {.loads_at_a_time = 3});
  EXPECT_EQ(all_of(batch).size(), 12u);
  EXPECT_GE(most, 2);
  EXPECT_LE(most, 4);  // three ahead, and the one that is waited for
}

TEST(Batch, EndsWhereAStopIsRequested) {
  Extractor extractor({}, on_cpu);
  std::stop_source source;
  Batch batch(extractor, images_of(6), {.in_flight = 2, .stop = source.get_token()});
  EXPECT_TRUE(batch.next());
  EXPECT_TRUE(batch.next());
  source.request_stop();
  EXPECT_FALSE(batch.next());
  EXPECT_FALSE(batch.next());
}

TEST(Batch, LoadsNothingMoreOnceItIsLeft) {
  Extractor extractor({}, on_cpu);
  std::atomic<int> loads = 0;
  std::vector<BatchImage> images;
  for (std::uint32_t i = 0; i < 50; ++i) {
    images.push_back({"", [&loads, i] {
                        ++loads;
                        return LoadedImage{dots(i)};
                      }});
  }
  {
    Batch batch(extractor, images, {.in_flight = 3, .loads_at_a_time = 2});
    EXPECT_TRUE(batch.next());
  }
  EXPECT_LE(loads, 5);
  EXPECT_GT(extractor.extract(dots(1).view()).size(), 0u);
}

TEST(Batch, RefusesNumbersOutOfRange) {
  Extractor extractor({}, on_cpu);
  EXPECT_THROW(Batch(extractor, std::vector<BatchImage>(), {.in_flight = -1}), Error);
  EXPECT_THROW(Batch(extractor, std::vector<BatchImage>(), {.loads_at_a_time = 1001}), Error);
}

}  // namespace
}  // namespace octavo
