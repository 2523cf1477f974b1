// Trains a vocabulary by k-means in integers; octavo/retrieval.h defines every step. The sum of squared distances falls
// in every round: the assignment and the means each make it least, as the rounded mean is the best whole number for a
// coordinate; and moving a descriptor to an empty word takes its distance away. So the training ends.
//
// An empty word can always be filled: there are at least k different descriptors and fewer than k words with
// descriptors, so one word has two different ones, and one of these is away from its centre.

#include <algorithm>
#include <limits>
#include <new>
#include <random>
#include <set>
#include <utility>

#include "engine/core/option_rows.h"
#include "octavo/error.h"
#include "octavo/matcher.h"
#include "octavo/retrieval.h"

namespace octavo {

namespace {

using Descriptors = std::span<const std::uint8_t>;

// A number from 0 to below − 1, all equally likely. The sequence of the engine is the same with every standard library,
// unlike those of distributions.
std::uint64_t draw(std::mt19937_64& random, std::uint64_t below) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t accepted = most - most % below;
  std::uint64_t number = random();
  while (number >= accepted) number = random();
  return number % below;
}

class Training {
 public:
  Training(Descriptors descriptors, const VocabularyOptions& options, const DeviceOptions& device,
           const ProgressSink& progress)
      : descriptors_(descriptors),
        size_(descriptors.size() / descriptor_length),
        words_(static_cast<std::size_t>(options.words)),
        options_(options),
        matcher_({}, device),
        progress_(progress) {
    require_enough();
  }

  VocabularyTraining run(std::string origin) {
    choose_centres();
    assign();
    int round = 0;
    bool has_settled = false;
    while (!has_settled && round < options_.max_rounds) {
      report(progress_, "moving the words", static_cast<std::size_t>(round),
             static_cast<std::size_t>(options_.max_rounds));
      const std::uint64_t before = sum_;
      fill_empty_words();
      move_centres();
      assign();
      ++round;
      has_settled = sum_ == before;
    }
    return {Vocabulary(std::move(centres_), std::move(origin)), round, has_settled, sum_, std::move(counts_)};
  }

 private:
  [[nodiscard]] Descriptors descriptor(std::size_t i) const {
    return descriptors_.subspan(i * descriptor_length, descriptor_length);
  }

  // There must be as many different descriptors as words.
  void require_enough() const {
    if (descriptors_.size() % descriptor_length != 0 ||
        size_ > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
      throw Error(ErrorCode::invalid_argument, "the descriptors to train with have " +
                                                   std::to_string(descriptors_.size()) +
                                                   " bytes, but must have 128 for each of at most 2147483647");
    }
    const auto less = [](const Descriptors& a, const Descriptors& b) {
      return std::ranges::lexicographical_compare(a, b);
    };
    std::set<Descriptors, decltype(less)> different(less);
    for (std::size_t i = 0; i < size_ && different.size() < words_; ++i) different.insert(descriptor(i));
    if (different.size() < words_) {
      throw Error(ErrorCode::invalid_argument, "there are " + std::to_string(different.size()) +
                                                   " different descriptors to train with, but " +
                                                   std::to_string(words_) + " words need at least as many");
    }
  }

  // k-means++: each centre is a descriptor, drawn with a probability in proportion to its squared distance from the
  // nearest centre so far. The sum is below 2^31·2^23.
  void choose_centres() {
    std::mt19937_64 random(static_cast<std::uint64_t>(options_.seed));
    std::vector<std::uint32_t> nearest(size_, UINT32_MAX);
    std::size_t chosen = static_cast<std::size_t>(draw(random, size_));
    while (true) {
      report(progress_, "choosing the first words", centres_.size() / descriptor_length, words_);
      const Descriptors centre = descriptor(chosen);
      centres_.insert(centres_.end(), centre.begin(), centre.end());
      if (centres_.size() == words_ * descriptor_length) return;
      const std::vector<NearestTwo> to_centre = matcher_.nearest_two(descriptors_, centre);
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < size_; ++i) {
        nearest[i] = std::min(nearest[i], to_centre[i].distance2[0]);
        sum += nearest[i];
      }
      std::uint64_t rest = draw(random, sum);
      chosen = 0;
      while (rest >= nearest[chosen]) rest -= nearest[chosen++];
    }
  }

  void assign() {
    nearest_ = matcher_.nearest_two(descriptors_, centres_);
    counts_.assign(words_, 0);
    sum_ = 0;
    for (const NearestTwo& one : nearest_) {
      ++counts_[static_cast<std::size_t>(one.index[0])];
      sum_ += one.distance2[0];
    }
  }

  void fill_empty_words() {
    for (std::size_t word = 0; word < words_; ++word) {
      if (counts_[word] > 0) continue;
      NearestTwo* farthest = nullptr;
      for (NearestTwo& one : nearest_) {
        if (counts_[static_cast<std::size_t>(one.index[0])] < 2) continue;
        if (farthest == nullptr || one.distance2[0] > farthest->distance2[0]) farthest = &one;
      }
      --counts_[static_cast<std::size_t>(farthest->index[0])];
      farthest->index[0] = static_cast<std::int32_t>(word);
      farthest->distance2[0] = 0;
      counts_[word] = 1;
    }
  }

  // Sums are below 2^31·255.
  void move_centres() {
    std::vector<std::uint64_t> sums(words_ * descriptor_length);
    for (std::size_t i = 0; i < size_; ++i) {
      const Descriptors one = descriptor(i);
      std::uint64_t* of_word = sums.data() + static_cast<std::size_t>(nearest_[i].index[0]) * descriptor_length;
      for (std::size_t j = 0; j < descriptor_length; ++j) of_word[j] += one[j];
    }
    for (std::size_t c = 0; c < sums.size(); ++c) {
      const std::uint64_t count = counts_[c / descriptor_length];
      centres_[c] = static_cast<std::uint8_t>((2 * sums[c] + count) / (2 * count));
    }
  }

  Descriptors descriptors_;
  std::size_t size_, words_;
  VocabularyOptions options_;
  Matcher matcher_;
  const ProgressSink& progress_;
  std::vector<std::uint8_t> centres_;
  std::vector<NearestTwo> nearest_;  // the word of each descriptor, and its squared distance
  std::vector<std::uint32_t> counts_;
  std::uint64_t sum_ = 0;
};

}  // namespace

template <>
const OptionTable<VocabularyOptions>& option_table<VocabularyOptions>() {
  constexpr std::string_view group = "Vocabulary options";
  static const OptionTable<VocabularyOptions> table{
      .name = "vocabulary",
      .title = "Vocabulary",
      .options = {
          option<&VocabularyOptions::words>({.name = "words",
                                             .group = group,
                                             .sentence = "The number of words.",
                                             .symbol = "K",
                                             .low = 1,
                                             .high = static_cast<double>(Vocabulary::most_words)}),
          option<&VocabularyOptions::max_rounds>({.name = "max_rounds",
                                                  .group = group,
                                                  .sentence = "Stop after N rounds even if the words still move.",
                                                  .symbol = "N",
                                                  .low = 0,
                                                  .high = 1000000}),
          option<&VocabularyOptions::seed>({.name = "seed",
                                            .group = group,
                                            .sentence = "The number that chooses the first words.",
                                            .symbol = "S",
                                            .low = 0,
                                            .high = 4294967295}),
      }};
  return table;
}

void validate(const VocabularyOptions& options) { option_table<VocabularyOptions>().validate(options); }

VocabularyTraining train_vocabulary(std::span<const std::uint8_t> descriptors, const VocabularyOptions& options,
                                    const DeviceOptions& device, std::string origin, const ProgressSink& progress) try {
  validate(options);
  return Training(descriptors, options, device, progress).run(std::move(origin));
} catch (const std::bad_alloc&) {
  throw Error(ErrorCode::out_of_memory,
              "no memory to train a vocabulary with " + std::to_string(descriptors.size()) + " bytes of descriptors");
}

}  // namespace octavo
