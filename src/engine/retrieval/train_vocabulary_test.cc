// The training of vocabularies: clusters that are known, the defined rounding and refilling, and the same result with
// any number of threads.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <limits>
#include <random>

#include "engine/core/expect_error.h"
#include "octavo/error.h"
#include "octavo/retrieval.h"

namespace octavo {
namespace {

using Bytes = std::vector<std::uint8_t>;

void add(Bytes& descriptors, int value) {
  descriptors.insert(descriptors.end(), descriptor_length, static_cast<std::uint8_t>(value));
}

// Clusters of `each` descriptors around values that are far apart.
Bytes clusters(const std::vector<int>& values, int each) {
  std::mt19937 random(3);
  Bytes descriptors;
  for (int i = 0; i < each; ++i) {
    for (const int value : values) {
      for (std::size_t j = 0; j < descriptor_length; ++j) {
        descriptors.push_back(static_cast<std::uint8_t>(value + static_cast<int>(random() % 7) - 3));
      }
    }
  }
  return descriptors;
}

Bytes noise(std::size_t count) {
  std::mt19937 random(11);
  Bytes descriptors(count * descriptor_length);
  for (std::uint8_t& one : descriptors) one = static_cast<std::uint8_t>(random());
  return descriptors;
}

std::uint64_t distance2(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
  std::uint64_t sum = 0;
  for (std::size_t j = 0; j < descriptor_length; ++j) sum += static_cast<std::uint64_t>((a[j] - b[j]) * (a[j] - b[j]));
  return sum;
}

TEST(TrainVocabulary, FindsKnownClusters) {
  const std::vector<int> values{10, 60, 110, 160, 210};
  const Bytes descriptors = clusters(values, 200);
  for (const std::int64_t seed : {1, 2, 3, 4, 5}) {
    const VocabularyTraining training = train_vocabulary(descriptors, {.words = 5, .seed = seed}, {}, "clusters");
    EXPECT_TRUE(training.has_settled);
    EXPECT_EQ(training.vocabulary.origin(), "clusters");
    std::vector<std::size_t> found;
    for (const int value : values) {
      for (std::size_t w = 0; w < 5; ++w) {
        const auto centre = training.vocabulary.centre(w);
        // The mean of 200 numbers of the variance 4 is within 1 of the middle.
        if (std::ranges::all_of(centre, [&](int c) { return std::abs(c - value) <= 1; })) found.push_back(w);
      }
    }
    std::ranges::sort(found);
    EXPECT_EQ(found, (std::vector<std::size_t>{0, 1, 2, 3, 4})) << "seed " << seed;
    EXPECT_EQ(training.counts, std::vector<std::uint32_t>(5, 200));
  }
}

TEST(TrainVocabulary, MeansAreRoundedToNearestHalvesUp) {
  const auto centre_of = [](std::initializer_list<int> values) {
    Bytes descriptors;
    for (const int value : values) add(descriptors, value);
    const VocabularyTraining training = train_vocabulary(descriptors, {.words = 1});
    return int{training.vocabulary.centre(0)[77]};
  };
  EXPECT_EQ(centre_of({0, 1}), 1);
  EXPECT_EQ(centre_of({0, 0, 1}), 0);
  EXPECT_EQ(centre_of({0, 1, 1}), 1);
  EXPECT_EQ(centre_of({10, 11, 12, 13}), 12);
  EXPECT_EQ(centre_of({255, 255, 255}), 255);
  EXPECT_EQ(centre_of({254, 255}), 255);
}

TEST(TrainVocabulary, EndsAtAMinimumThatIsWhatItSays) {
  const Bytes descriptors = noise(500);
  const VocabularyTraining training = train_vocabulary(descriptors, {.words = 9});
  ASSERT_TRUE(training.has_settled);
  std::uint64_t sum = 0;
  std::vector<std::uint32_t> counts(9);
  for (std::size_t i = 0; i < 500; ++i) {
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    std::size_t nearest = 0;
    for (std::size_t w = 0; w < 9; ++w) {
      const std::uint64_t d2 = distance2(std::span(descriptors).subspan(i * descriptor_length, descriptor_length),
                                         training.vocabulary.centre(w));
      if (d2 < least) {
        least = d2;
        nearest = w;
      }
    }
    sum += least;
    ++counts[nearest];
  }
  EXPECT_EQ(training.distance2, sum);
  EXPECT_EQ(training.counts, counts);
}

TEST(TrainVocabulary, EveryRoundIsBetterThanTheOneBefore) {
  const Bytes descriptors = noise(400);
  const VocabularyTraining whole = train_vocabulary(descriptors, {.words = 16});
  ASSERT_GT(whole.rounds, 3);
  std::uint64_t before = std::numeric_limits<std::uint64_t>::max();
  for (int rounds = 0; rounds < whole.rounds; ++rounds) {
    const VocabularyTraining part = train_vocabulary(descriptors, {.words = 16, .max_rounds = rounds});
    EXPECT_FALSE(part.has_settled);
    EXPECT_EQ(part.rounds, rounds);
    EXPECT_LT(part.distance2, before);
    before = part.distance2;
  }
  EXPECT_EQ(whole.distance2, before);
}

TEST(TrainVocabulary, NoWordStaysEmpty) {
  // As many words as different descriptors: each is a centre, however often the others are there.
  Bytes descriptors;
  for (int i = 0; i < 1000; ++i) add(descriptors, 7);
  for (const int value : {8, 9, 10, 200, 201, 7}) add(descriptors, value);
  for (const std::int64_t seed : {1, 2, 3, 4, 5, 6, 7, 8}) {
    const VocabularyTraining training = train_vocabulary(descriptors, {.words = 6, .seed = seed});
    std::vector<int> centres;
    for (std::size_t w = 0; w < 6; ++w) centres.push_back(training.vocabulary.centre(w)[0]);
    std::ranges::sort(centres);
    EXPECT_EQ(centres, (std::vector<int>{7, 8, 9, 10, 200, 201}));
    EXPECT_EQ(training.distance2, 0u);
  }
}

TEST(TrainVocabulary, IsTheSameOnEveryDeviceAndNumberOfThreads) {
  const tbb::global_control seven(tbb::global_control::max_allowed_parallelism, 7);
  const Bytes descriptors = noise(700);
  const VocabularyOptions options{.words = 33, .seed = 5};
  const VocabularyTraining expected = train_vocabulary(descriptors, options, {.name = "reference"});
  for (const int threads : {1, 2, 7}) {
    const VocabularyTraining training = train_vocabulary(descriptors, options, {.name = "cpu", .threads = threads});
    EXPECT_EQ(training.vocabulary, expected.vocabulary) << threads;
    EXPECT_EQ(training.counts, expected.counts) << threads;
    EXPECT_EQ(training.rounds, expected.rounds) << threads;
  }
  EXPECT_NE(train_vocabulary(descriptors, {.words = 33, .seed = 6}).vocabulary, expected.vocabulary);
}

TEST(TrainVocabulary, RefusesTooFewDescriptorsAndWrongOptions) {
  Bytes equal;
  for (int i = 0; i < 100; ++i) add(equal, i % 3);
  const auto argument = ErrorCode::invalid_argument;
  expect_error(argument, "there are 3 different descriptors to train with, but 4 words need at least as many",
               [&] { train_vocabulary(equal, {.words = 4}); });
  expect_error(argument, "there are 0 different", [] { train_vocabulary({}, {.words = 1}); });
  expect_error(argument, "have 100 bytes", [] { train_vocabulary(Bytes(100), {.words = 1}); });
  const auto option = ErrorCode::invalid_option;
  expect_error(option, "words is 0, but must be between 1 and 65536", [&] { train_vocabulary(equal, {.words = 0}); });
  expect_error(option, "max_rounds is -1", [&] { train_vocabulary(equal, {.words = 1, .max_rounds = -1}); });
  expect_error(option, "seed is -1", [&] { train_vocabulary(equal, {.words = 1, .seed = -1}); });
}

}  // namespace
}  // namespace octavo
