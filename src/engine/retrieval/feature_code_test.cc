#include "octavo/retrieval.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "engine/core/digest.h"
#include "engine/retrieval/code_rotation.h"
#include "octavo/error.h"

namespace octavo {
namespace {

std::vector<std::uint8_t> random_descriptors(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint8_t> descriptors(count * descriptor_length);
  for (std::uint8_t& one : descriptors) one = static_cast<std::uint8_t>(random() % 120);
  return descriptors;
}

std::span<const std::uint8_t, descriptor_length> first_of(const std::vector<std::uint8_t>& descriptors) {
  return std::span<const std::uint8_t>(descriptors).first<descriptor_length>();
}

TEST(CodeRotation, KeepsLengthsAndAngles) {
  const std::vector<std::uint8_t> a = random_descriptors(1, 1), b = random_descriptors(1, 2);
  const RotatedDescriptor ra = rotate(halves_of(first_of(a))), rb = rotate(halves_of(first_of(b)));
  std::int64_t product = 0, rotated = 0;
  for (std::size_t j = 0; j < descriptor_length; ++j) {
    product += a[j] * b[j];
    rotated += std::int64_t{ra[j]} * rb[j];
  }
  EXPECT_EQ(rotated, 128 * product);
}

TEST(CodeRotation, AMirrorChangesTheSignOfOddCoordinates) {
  const std::vector<std::uint8_t> plain = random_descriptors(1, 8);
  const RotatedDescriptor y = rotate(halves_of(first_of(plain)));
  const RotatedDescriptor z = rotate(halves_of(first_of(mirrored_descriptors(plain))));
  for (std::size_t j = 0; j < y.size(); ++j) EXPECT_EQ(z[j], j % 2 == 0 ? y[j] : -y[j]);
}

TEST(FeatureCode, WordsAreTheNearestOfAll) {
  const CodeModel& model = general_code_model();
  const std::vector<std::uint8_t> descriptors = random_descriptors(5, 3);
  constexpr std::size_t count = 20;
  const std::vector<std::uint16_t> near = nearest_words(descriptors, count);
  const std::vector<std::uint16_t> one = nearest_words(descriptors);
  for (std::size_t i = 0; i < 5; ++i) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
    for (std::uint32_t word = 0; word < code_words; ++word) {
      std::uint32_t distance = 0;
      for (std::size_t j = 0; j < descriptor_length; ++j) {
        const bool is_upper = j < 64;
        const std::size_t centre = is_upper ? word / 256 : word % 256;
        const int d = descriptors[i * 128 + j] - model.centres()[centre * 64 + (is_upper ? j : mirrored_index(j))];
        distance += static_cast<std::uint32_t>(d * d);
      }
      all.emplace_back(distance, word);
    }
    std::ranges::partial_sort(all, all.begin() + count);
    for (std::size_t k = 0; k < count; ++k) EXPECT_EQ(near[i * count + k], all[k].second) << i << ' ' << k;
    EXPECT_EQ(one[i], all[0].second);
  }
}

TEST(FeatureCode, BitsCompareWithTheThresholds) {
  const CodeModel& model = general_code_model();
  const std::vector<std::uint8_t> descriptors = random_descriptors(1, 4);
  const RotatedDescriptor rotated = rotate(halves_of(first_of(descriptors)));
  const FeatureCode code = feature_codes(descriptors)[0];
  for (std::size_t j = 0; j < descriptor_length; ++j) {
    EXPECT_EQ((code[j / 64] >> (j % 64) & 1) == 1, rotated[j] > (j % 2 == 0 ? model.thresholds()[j / 2] : 0)) << j;
  }
}

TEST(FeatureCode, DistanceCountsBits) {
  EXPECT_EQ(hamming_distance({0, 0}, {0, 0}), 0);
  EXPECT_EQ(hamming_distance({1, 6}, {3, 0}), 3);
  EXPECT_EQ(hamming_distance({0, 0}, {~std::uint64_t{0}, ~std::uint64_t{0}}), 128);
}

TEST(FeatureCode, WordsAndCodesOfTheMirroredFollow) {
  const std::vector<std::uint8_t> plain = random_descriptors(200, 9), reflection = mirrored_descriptors(plain);
  const std::vector<FeatureCode> codes = feature_codes(plain), expected = feature_codes(reflection);
  const std::vector<std::uint16_t> words = nearest_words(plain), expected_words = nearest_words(reflection);
  int different = 0;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    different += hamming_distance(mirrored_code(codes[i]), expected[i]);
    EXPECT_EQ(mirrored_code(mirrored_code(codes[i])), codes[i]);
    EXPECT_EQ(mirrored_word(words[i]), expected_words[i]);
  }
  EXPECT_LT(different, 50);  // coordinates that are 0, of 25 600
}

TEST(FeatureCode, MirroredTwiceIsTheSame) {
  const std::vector<std::uint8_t> descriptors = random_descriptors(3, 5);
  const std::vector<std::uint8_t> mirrored = mirrored_descriptors(descriptors);
  EXPECT_NE(mirrored, descriptors);
  EXPECT_EQ(mirrored_descriptors(mirrored), descriptors);
  EXPECT_EQ(mirrored[0 * 32 + 2 * 8 + 3], descriptors[3 * 32 + 2 * 8 + 5]);
}

TEST(FeatureCode, RefusesOtherLengths) {
  const std::vector<std::uint8_t> odd(127);
  EXPECT_THROW(feature_codes(odd), Error);
  EXPECT_THROW(nearest_words(odd, 1), Error);
  EXPECT_THROW(mirrored_descriptors(odd), Error);
  const std::vector<std::uint8_t> one(128);
  EXPECT_THROW(nearest_words(one, 0), Error);
  EXPECT_THROW(nearest_words(one, 257), Error);
  EXPECT_TRUE(feature_codes({}).empty());
}

TEST(CodeModel, IsTrainedWithTheMediansOfTheAxes) {
  const std::vector<std::uint8_t> descriptors = random_descriptors(600, 6);
  const CodeModel model = train_code_model(descriptors, 3, "random");
  std::vector<int> ones(128);
  for (const FeatureCode& one : feature_codes(descriptors, model)) {
    for (std::size_t j = 0; j < 128; ++j) ones[j] += static_cast<int>(one[j / 64] >> (j % 64) & 1);
  }
  for (std::size_t j = 0; j < 128; j += 2) EXPECT_NEAR(ones[j], 300, 6);  // equal values are on the lower side
  EXPECT_EQ(decode_code_model(encode_code_model(model), "model"), model);
}

TEST(CodeModel, RefusesToBeTrainedWithNothing) {
  EXPECT_THROW(train_code_model({}, 3, "nothing"), Error);
  EXPECT_THROW(train_code_model(std::vector<std::uint8_t>(127), 3, "odd"), Error);
}

TEST(CodeModel, RefusesDamagedBytes) {
  const std::vector<std::byte> good = encode_code_model(general_code_model());
  for (std::size_t i = 0; i < good.size(); i += 997) {
    EXPECT_THROW(decode_code_model(std::span(good).first(i), "cut"), Error) << i;
    std::vector<std::byte> changed = good;
    changed[i] ^= std::byte{0x10};
    EXPECT_THROW(decode_code_model(changed, "changed"), Error) << i;
  }
  EXPECT_THROW(CodeModel({}, {}, ""), Error);
}

TEST(GeneralCodeModel, Stays) {
  EXPECT_NE(general_code_model().origin().find("lomiri-wallpapers"), std::string::npos);
  Digest digest;
  digest.add(std::as_bytes(general_code_model().centres()));
  digest.add(std::as_bytes(general_code_model().thresholds()));
  EXPECT_EQ(digest.text(), "f7529bfd45df2baa");  // signatures that users keep would have another meaning
}

}  // namespace
}  // namespace octavo
