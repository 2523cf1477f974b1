// Trains a model of feature codes. The centres come from the k-means of whole descriptors (train_vocabulary): one half,
// the rest zero.

#include <algorithm>

#include "engine/retrieval/code_rotation.h"
#include "engine/retrieval/descriptor_count.h"
#include "octavo/error.h"
#include "octavo/retrieval.h"

namespace octavo {

namespace {

std::vector<std::uint8_t> centres_of(std::span<const DescriptorHalves> descriptors, int max_rounds) {
  constexpr std::size_t half = CodeModel::half_length;
  std::vector<std::uint8_t> halves(2 * descriptors.size() * descriptor_length);
  auto at = halves.begin();
  for (const DescriptorHalves& both : descriptors) {
    for (const auto& one : both) {
      std::ranges::copy(one, at);
      at += descriptor_length;
    }
  }
  const VocabularyTraining training =
      train_vocabulary(halves, {.words = CodeModel::centre_count, .max_rounds = max_rounds});
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
  std::vector<DescriptorHalves> halves(descriptor_count(descriptors));
  if (halves.empty()) throw Error(ErrorCode::invalid_argument, "a model of feature codes needs descriptors");
  for (std::size_t i = 0; i < halves.size(); ++i) {
    halves[i] = halves_of(descriptors.subspan(i * descriptor_length).first<descriptor_length>());
  }
  std::vector<std::vector<std::int32_t>> axes(CodeModel::threshold_count, std::vector<std::int32_t>(halves.size()));
  for (std::size_t i = 0; i < halves.size(); ++i) {
    const RotatedDescriptor y = rotate(halves[i]);
    for (std::size_t k = 0; k < axes.size(); ++k) axes[k][i] = y[2 * k];
  }
  std::vector<std::int32_t> thresholds;
  for (std::vector<std::int32_t>& axis : axes) thresholds.push_back(lower_median(axis));
  return CodeModel(centres_of(halves, max_rounds), std::move(thresholds), origin);
}

}  // namespace octavo
