// Words and codes of descriptors, in integers. A word is a pair of centres, one for the upper two rows of a
// descriptor's cells and one for the lower two (the inverted multi-index of Babenko and Lempitsky 2012): 65 536 words
// from 256 centres, so that a model has 17 KB in place of 8 MB. A code has a bit for each axis of a rotated space.
// Both halves have the same centres, and even axes do not see a mirror, so that it only exchanges the centres of a word
// and turns the odd bits of a code (code_rotation.h).

#include "octavo/retrieval.h"

#include <algorithm>

#include "engine/retrieval/code_rotation.h"
#include "engine/retrieval/descriptor_count.h"

namespace octavo {

namespace {

constexpr std::size_t centre_count = CodeModel::centre_count;
constexpr std::size_t half_length = CodeModel::half_length;
using Distances = std::array<std::uint32_t, centre_count>;

std::span<const std::uint8_t, descriptor_length> descriptor_at(std::span<const std::uint8_t> descriptors,
                                                               std::size_t i) {
  return std::span<const std::uint8_t, descriptor_length>(descriptors.data() + i * descriptor_length,
                                                          descriptor_length);
}

using DescriptorHalf = DescriptorHalves::value_type;

Distances distances(const DescriptorHalf& x, const CodeModel& model) {
  const std::uint8_t* c = model.centres().data();
  Distances result;
  for (std::size_t i = 0; i < centre_count; ++i, c += half_length) {
    std::int32_t sum = 0;
    for (std::size_t j = 0; j < half_length; ++j) {
      const auto difference = static_cast<std::int16_t>(x[j] - c[j]);
      sum += difference * difference;
    }
    result[i] = static_cast<std::uint32_t>(sum);
  }
  return result;
}

FeatureCode code_of(const DescriptorHalves& halves, const CodeModel& model) {
  const RotatedDescriptor y = rotate(halves);
  FeatureCode code{};
  for (std::size_t j = 0; j < y.size(); ++j) {
    code[j / 64] |= std::uint64_t{y[j] > code_threshold(j, model)} << (j % 64);
  }
  return code;
}

// A centre and the squared distance to it, below 2^23: ordered by distance, then by number.
constexpr std::uint64_t centre_bits = 8;
std::uint64_t with_distance(std::size_t centre, std::uint32_t distance) {
  return std::uint64_t{distance} << centre_bits | centre;
}
std::size_t centre_of(std::uint64_t one) { return one & (centre_count - 1); }
std::uint32_t distance_of(std::uint64_t one) { return static_cast<std::uint32_t>(one >> centre_bits); }

// The `count` nearest centres of a half, nearest first.
std::array<std::uint64_t, centre_count> nearest_centres(const DescriptorHalf& x, std::size_t count,
                                                        const CodeModel& model) {
  const Distances to = distances(x, model);
  std::array<std::uint64_t, centre_count> all;
  for (std::size_t i = 0; i < centre_count; ++i) all[i] = with_distance(i, to[i]);
  if (count == 1) {
    std::iter_swap(all.begin(), std::ranges::min_element(all));
  } else {
    std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return all;
}

}  // namespace

std::vector<FeatureCode> feature_codes(std::span<const std::uint8_t> descriptors, const CodeModel& model) {
  std::vector<FeatureCode> codes(descriptor_count(descriptors));
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = code_of(halves_of(descriptor_at(descriptors, i)), model);
  return codes;
}

std::vector<std::uint16_t> nearest_words(std::span<const std::uint8_t> descriptors, std::size_t count,
                                         const CodeModel& model) {
  require_word_count(count);
  std::vector<std::uint16_t> words;
  words.reserve(descriptor_count(descriptors) * count);
  std::vector<std::pair<std::uint32_t, std::uint16_t>> pairs;
  for (std::size_t i = 0; i < descriptor_count(descriptors); ++i) {
    const DescriptorHalves halves = halves_of(descriptor_at(descriptors, i));
    // Each half of one of the `count` nearest words is one of the `count` nearest of its centres. If the one is the
    // (a+1)-th and the other the (b+1)-th, (a+1)·(b+1) words are no farther.
    const auto upper = nearest_centres(halves[0], count, model);
    const auto lower = nearest_centres(halves[1], count, model);
    pairs.clear();
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; (a + 1) * (b + 1) <= count; ++b) {
        pairs.emplace_back(distance_of(upper[a]) + distance_of(lower[b]),
                           static_cast<std::uint16_t>(centre_of(upper[a]) * centre_count + centre_of(lower[b])));
      }
    }
    std::ranges::partial_sort(pairs, pairs.begin() + static_cast<std::ptrdiff_t>(count));
    for (std::size_t k = 0; k < count; ++k) words.push_back(pairs[k].second);
  }
  return words;
}

std::vector<std::uint8_t> mirrored_descriptors(std::span<const std::uint8_t> descriptors) {
  std::vector<std::uint8_t> mirrored(descriptors.size());
  for (std::size_t i = 0; i < descriptor_count(descriptors); ++i) {
    const auto from = descriptor_at(descriptors, i);
    for (std::size_t j = 0; j < descriptor_length; ++j) {
      mirrored[i * descriptor_length + mirrored_index(j)] = from[j];
    }
  }
  return mirrored;
}

}  // namespace octavo
