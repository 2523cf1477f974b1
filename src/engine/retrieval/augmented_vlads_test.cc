// Augmented VLADs against the formula in doubles, and what they are for: two images that have nothing in common, and
// one between them.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "octavo/error.h"
#include "octavo/retrieval.h"

namespace octavo {
namespace {

using Vlads = std::vector<std::vector<std::int16_t>>;

constexpr std::size_t numbers = 2 * descriptor_length;  // of two words

// The VLAD of this direction.
std::vector<std::int16_t> vlad_towards(const std::vector<double>& direction) {
  double squares = 0;
  for (const double one : direction) squares += one * one;
  std::vector<std::int16_t> vlad;
  for (const double one : direction) {
    vlad.push_back(static_cast<std::int16_t>(std::lround(one * vlad_length / std::sqrt(squares))));
  }
  return vlad;
}

std::vector<double> noise(std::mt19937& random) {
  std::vector<double> direction(numbers);
  for (double& one : direction) one = static_cast<double>(random() % 2001) - 1000;
  return direction;
}

TEST(AugmentedVlads, AreThoseOfTheFormulaForAnyNumberOfThreads) {
  std::mt19937 random(3);
  Vlads vlads;
  for (int i = 0; i < 21; ++i) vlads.push_back(vlad_towards(noise(random)));
  vlads[4].clear();
  vlads[5].assign(numbers, 0);
  DeviceOptions one_thread, three_threads;
  one_thread.threads = 1;
  three_threads.threads = 3;
  const Vlads augmented = augmented_vlads(vlads, 3, one_thread);
  EXPECT_EQ(augmented, augmented_vlads(vlads, 3, three_threads));
  const auto similar = most_similar_images(vlads, 3);
  for (std::size_t i = 0; i < vlads.size(); ++i) {
    if (i == 4 || i == 5) {
      EXPECT_EQ(augmented[i], vlads[i]);
      continue;
    }
    std::vector<double> sum(vlads[i].begin(), vlads[i].end());
    for (const SimilarImage& other : similar[i]) {
      const double weight = std::max(0.0, vlad_similarity(vlads[i], vlads[other.image]));
      for (std::size_t k = 0; k < numbers; ++k) sum[k] += weight * vlads[other.image][k];
    }
    const std::vector<std::int16_t> wanted = vlad_towards(sum);
    for (std::size_t k = 0; k < numbers; ++k) EXPECT_NEAR(augmented[i][k], wanted[k], 1) << i << " " << k;
  }
  EXPECT_EQ(augmented_vlads(vlads, 0), vlads);
}

TEST(AugmentedVlads, ImagesMeetThroughOneBetweenThem) {
  std::mt19937 random(9);
  const std::vector<double> near = noise(random), far = noise(random);
  std::vector<double> between(numbers);
  for (std::size_t k = 0; k < numbers; ++k) between[k] = near[k] + far[k];
  Vlads vlads{vlad_towards(near), vlad_towards(between), vlad_towards(far)};
  for (int i = 0; i < 5; ++i) vlads.push_back(vlad_towards(noise(random)));
  const Vlads augmented = augmented_vlads(vlads, 1);
  EXPECT_LT(vlad_similarity(vlads[0], vlads[2]), 0.2);
  EXPECT_GT(vlad_similarity(augmented[0], augmented[2]), 0.3);
}

TEST(AugmentedVlads, OfTooManyImagesAreRefused) {
  EXPECT_THROW(augmented_vlads(Vlads{}, most_augmenting_images + 1), Error);
  EXPECT_TRUE(augmented_vlads(Vlads{}, most_augmenting_images).empty());
}

}  // namespace
}  // namespace octavo
