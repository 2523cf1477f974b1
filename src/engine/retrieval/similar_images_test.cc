// The most similar images, against vlad_product and a sort.

#include "octavo/retrieval.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "octavo/error.h"

namespace octavo {
namespace {

using Vlads = std::vector<std::vector<std::int16_t>>;

Vlads vlads_of_noise(std::size_t count) {
  std::mt19937 random(7);
  VladEncoder encoder(general_vocabulary());
  Vlads vlads;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::uint8_t> descriptors(20 * descriptor_length);
    for (std::uint8_t& one : descriptors) one = static_cast<std::uint8_t>(random() % 100);
    vlads.push_back(encoder.encode(descriptors));
  }
  return vlads;
}

std::vector<SimilarImage> by_sorting(const Vlads& vlads, std::size_t one, std::size_t count) {
  std::vector<SimilarImage> all;
  for (std::size_t i = 0; i < vlads.size(); ++i) {
    if (i != one && !vlads[i].empty()) all.push_back({i, vlad_product(vlads[one], vlads[i])});
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.product > b.product; });
  all.resize(std::min(count, all.size()));
  return all;
}

TEST(SimilarImages, AreThoseOfASortForAnyNumberOfThreads) {
  Vlads vlads = vlads_of_noise(37);
  vlads[5] = vlads[20] = vlads[3];  // equal products: the lower index is first
  vlads[11].clear();
  for (const std::size_t count : {1u, 4u, 36u, 100u}) {
    DeviceOptions one_thread, three_threads;
    one_thread.threads = 1;
    three_threads.threads = 3;
    const auto similar = most_similar_images(vlads, count, one_thread);
    EXPECT_EQ(similar, most_similar_images(vlads, count, three_threads));
    for (std::size_t i = 0; i < vlads.size(); ++i) {
      if (i == 11) continue;
      EXPECT_EQ(similar[i], by_sorting(vlads, i, count)) << i;
    }
    EXPECT_TRUE(similar[11].empty());
  }
}

TEST(SimilarImages, AnImageWithoutFeaturesIsSimilarToNone) {
  Vlads vlads = vlads_of_noise(3);
  std::fill(vlads[1].begin(), vlads[1].end(), std::int16_t{0});
  const auto similar = most_similar_images(vlads, 5);
  EXPECT_TRUE(similar[1].empty());
  ASSERT_EQ(similar[0].size(), 1u);
  EXPECT_EQ(similar[0].front().image, 2u);
  EXPECT_TRUE(most_similar_images({}, 5).empty());
  EXPECT_TRUE(most_similar_images(vlads, 0).front().empty());
}

TEST(SimilarImages, ProgressIsToldAndWhatItThrowsEndsTheWork) {
  const Vlads vlads = vlads_of_noise(70);
  struct GivenUp {};
  for (const auto& work : {+[](const Vlads&of, const DeviceOptions&device) { most_similar_images(of, 3, device); },
                           +[](const Vlads&of, const DeviceOptions&device) { augmented_vlads(of, 3, device); }}) {
    DeviceOptions device;
    device.threads = 1;
    std::size_t told = 0;
    device.progress = [&](const ProgressStep& step) {
      if (step.total > 0 && step.done == step.total) ++told;
    };
    work(vlads, device);
    EXPECT_GE(told, 1u);
    device.progress = [&](const ProgressStep& step) {
      if (step.done > 1) throw GivenUp{};
    };
    EXPECT_THROW(work(vlads, device), GivenUp);
  }
}

TEST(SimilarImages, VectorsThatAreNoVladsAreRefused) {
  EXPECT_THROW(most_similar_images(Vlads{std::vector<std::int16_t>(128, 1), std::vector<std::int16_t>(256, 1)}, 1),
               Error);
  EXPECT_THROW(most_similar_images(Vlads{std::vector<std::int16_t>(128, 32767)}, 1), Error);
}

}  // namespace
}  // namespace octavo
