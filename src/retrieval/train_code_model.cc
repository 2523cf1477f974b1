// Trains a model of feature codes. The centres of the halves come from the k-means of whole descriptors
// (train_vocabulary), of which the other half is zero.

#include <algorithm>

#include "octavo/feature_code.h"
#include "octavo/vocabulary.h"
#include "retrieval/code_rotation.h"

namespace octavo {

namespace {

std::vector<std::uint8_t> centres_of_half(std::span<const std::uint8_t> descriptors, std::size_t which,
                                          int max_rounds) {
  constexpr std::size_t half = CodeModel::half_length;
  std::vector<std::uint8_t> halves(descriptors.size());
  for (std::size_t at = 0; at < descriptors.size(); at += descriptor_length) {
    std::ranges::copy(descriptors.subspan(at + which * half, half), halves.begin() + static_cast<std::ptrdiff_t>(at));
  }
  const VocabularyTraining training =
      train_vocabulary(halves, {.words = CodeModel::centres_per_half, .max_rounds = max_rounds});
  std::vector<std::uint8_t> centres;
  for (std::size_t word = 0; word < training.vocabulary.size(); ++word) {
    const auto centre = training.vocabulary.centre(word).first(half);
    centres.insert(centres.end(), centre.begin(), centre.end());
  }
  return centres;
}

std::int32_t lower_median(std::vector<std::int32_t>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace

CodeModel train_code_model(std::span<const std::uint8_t> descriptors, int max_rounds, const std::string& origin) {
  std::vector<std::uint8_t> centres = centres_of_half(descriptors, 0, max_rounds);
  const std::vector<std::uint8_t> lower = centres_of_half(descriptors, 1, max_rounds);
  centres.insert(centres.end(), lower.begin(), lower.end());
  const std::size_t count = descriptors.size() / descriptor_length;
  std::vector<std::vector<std::int32_t>> axes(feature_code_bits, std::vector<std::int32_t>(count));
  for (std::size_t i = 0; i < count; ++i) {
    const RotatedDescriptor y = rotate(descriptors.subspan(i * descriptor_length).first<descriptor_length>());
    for (std::size_t j = 0; j < y.size(); ++j) axes[j][i] = y[j];
  }
  std::vector<std::int32_t> thresholds;
  for (std::vector<std::int32_t>& axis : axes) thresholds.push_back(lower_median(axis));
  return CodeModel(std::move(centres), std::move(thresholds), origin);
}

}  // namespace octavo
