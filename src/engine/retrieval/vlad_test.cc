// VLADs: against their formula in double precision, at the ends of the ranges, and for orders of the features.

#include "octavo/retrieval.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "engine/core/expect_error.h"
#include "engine/maths/scalar.h"
#include "octavo/error.h"

namespace octavo {
namespace {

using namespace maths;
#include "engine/retrieval/vlad_maths.h"

using Bytes = std::vector<std::uint8_t>;

Bytes noise(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  Bytes descriptors(count * descriptor_length);
  for (std::uint8_t& one : descriptors) one = static_cast<std::uint8_t>(random());
  return descriptors;
}

// The formula: residuals, each word's of length 1, the whole of length vlad_length.
std::vector<double> in_doubles(const Bytes& descriptors, const Vocabulary& vocabulary) {
  std::vector<double> vlad(vocabulary.size() * descriptor_length);
  for (std::size_t i = 0; i < descriptors.size() / descriptor_length; ++i) {
    const std::uint8_t* one = descriptors.data() + i * descriptor_length;
    std::size_t word = 0;
    double least = INFINITY;
    for (std::size_t w = 0; w < vocabulary.size(); ++w) {
      double d2 = 0;
      for (std::size_t j = 0; j < descriptor_length; ++j) d2 += std::pow(one[j] - vocabulary.centre(w)[j], 2);
      if (d2 < least) {
        least = d2;
        word = w;
      }
    }
    for (std::size_t j = 0; j < descriptor_length; ++j) {
      vlad[word * descriptor_length + j] += one[j] - vocabulary.centre(word)[j];
    }
  }
  const auto scale = [](std::span<double> values, double length) {
    double sum = 0;
    for (const double value : values) sum += value * value;
    if (sum == 0) return;
    for (double& value : values) value *= length / std::sqrt(sum);
  };
  for (std::size_t w = 0; w < vocabulary.size(); ++w) {
    scale(std::span(vlad).subspan(w * descriptor_length, descriptor_length), 1);
  }
  scale(vlad, vlad_length);
  return vlad;
}

TEST(IntegerRoot, IsExact) {
  for (std::int64_t root : {0ll, 1ll, 2ll, 3ll, 1000ll, 94906265ll, 94906267ll, 1ll << 30, (1ll << 31) - 1}) {
    EXPECT_EQ(integer_root(root * root), root);
    EXPECT_EQ(integer_root(root * root + 2 * root), root);
    if (root > 0) {
      EXPECT_EQ(integer_root(root * root - 1), root - 1);
    }
  }
}

TEST(Vlad, IsTheFormulaRounded) {
  for (const std::size_t words : {1, 2, 3, 17, 64, 257}) {
    VladEncoder encoder(Vocabulary(noise(words, 1)));
    for (const std::size_t features : {1, 2, 5, 100, 2000}) {
      const Bytes descriptors = noise(features, 1000 + static_cast<unsigned>(features));
      const std::vector<std::int16_t> vlad = encoder.encode(descriptors);
      const std::vector<double> expected = in_doubles(descriptors, encoder.vocabulary());
      ASSERT_EQ(vlad.size(), expected.size());
      for (std::size_t i = 0; i < vlad.size(); ++i) {
        ASSERT_NEAR(vlad[i], expected[i], 0.501) << words << " words, " << features << " features, number " << i;
      }
      EXPECT_NEAR(vlad_similarity(vlad, vlad), 1, 0.01);
    }
  }
}

TEST(Vlad, DoesNotDependOnTheOrderOfTheFeatures) {
  const Bytes descriptors = noise(300, 4);
  std::vector<std::size_t> order(300);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  VladEncoder encoder(Vocabulary(noise(16, 1)));
  const std::vector<std::int16_t> vlad = encoder.encode(descriptors);
  std::mt19937 random(2);
  for (int run = 0; run < 5; ++run) {
    std::ranges::shuffle(order, random);
    Bytes shuffled;
    for (const std::size_t i : order) {
      shuffled.insert(shuffled.end(), descriptors.begin() + static_cast<std::ptrdiff_t>(i * descriptor_length),
                      descriptors.begin() + static_cast<std::ptrdiff_t>((i + 1) * descriptor_length));
    }
    ASSERT_NE(shuffled, descriptors);
    EXPECT_EQ(encoder.encode(shuffled), vlad);
  }
}

TEST(Vlad, AnEquallyNearDescriptorBelongsToTheFirstWord) {
  Bytes centres(2 * descriptor_length, 100);
  std::fill(centres.begin() + descriptor_length, centres.end(), 110);
  VladEncoder encoder((Vocabulary(centres)));
  const std::vector<std::int16_t> vlad = encoder.encode(Bytes(descriptor_length, 105));
  // The residual of 128 equal numbers, of the length 2^14.
  EXPECT_TRUE(std::all_of(vlad.begin(), vlad.begin() + descriptor_length, [](int v) { return v == 1448; }));
  EXPECT_TRUE(std::all_of(vlad.begin() + descriptor_length, vlad.end(), [](int v) { return v == 0; }));
}

TEST(Vlad, OfNoResidualIsZero) {
  const Bytes centres = noise(5, 9);
  VladEncoder encoder((Vocabulary(centres)));
  const std::vector<std::int16_t> nothing(5 * descriptor_length);
  EXPECT_EQ(encoder.encode(Bytes{}), nothing);
  EXPECT_EQ(encoder.encode(centres), nothing);  // every descriptor is a centre
  EXPECT_EQ(vlad_similarity(encoder.encode(Bytes{}), encoder.encode(noise(9, 1))), 0);
}

TEST(Vlad, TheGreatestResidualDoesNotOverflow) {
  VladEncoder encoder(Vocabulary(Bytes(descriptor_length, 0)));
  const std::vector<std::int16_t> vlad = encoder.encode(Bytes(most_vlad_features * descriptor_length, 255));
  EXPECT_EQ(vlad, std::vector<std::int16_t>(descriptor_length, 1448));  // 2^14/√128
  Bytes one(descriptor_length);
  one[3] = 1;
  EXPECT_EQ(encoder.encode(one)[3], vlad_length);
  VladEncoder below(Vocabulary(Bytes(descriptor_length, 1)));
  Bytes ones(descriptor_length, 1);
  ones[3] = 0;
  EXPECT_EQ(below.encode(ones)[3], -vlad_length);
}

TEST(Vlad, TheProductIsExact) {
  const std::vector<std::int16_t> a(most_vlad_words * descriptor_length, -32768);
  EXPECT_EQ(vlad_product(a, a), std::int64_t{1} << 47);
  EXPECT_EQ(vlad_product(std::vector<std::int16_t>{1, -2, 3}, std::vector<std::int16_t>{4, 5, -6}), -24);
}

TEST(Vlad, RefusesWhatIsOutOfRangeAndStaysUsable) {
  expect_error(ErrorCode::invalid_argument, "the vocabulary has 1025 words, but must have at most 1024",
               [] { VladEncoder{Vocabulary(noise(1025, 1))}; });
  VladEncoder encoder(Vocabulary(noise(4, 1)));
  expect_error(ErrorCode::invalid_argument, "the descriptors have 100 bytes, which is no multiple of 128",
               [&] { encoder.encode(Bytes(100)); });
  expect_error(ErrorCode::invalid_argument, "the image has 524289 features, but must have at most 524288",
               [&] { encoder.encode(Bytes((most_vlad_features + 1) * descriptor_length)); });
  EXPECT_EQ(encoder.encode(noise(3, 1)).size(), 4 * descriptor_length);
  expect_error(ErrorCode::invalid_argument, "the VLADs have 3 and 4 numbers",
               [] { vlad_product(std::vector<std::int16_t>(3), std::vector<std::int16_t>(4)); });
}

}  // namespace
}  // namespace octavo
