// Measures, on one core, the rates of the two searches whose time grows with the collection: codes in inverted lists
// that a vote compares, and products of VLADs. The numbers are random: all words are equally frequent, and hardly any
// code is near another one, so the time is that of reading and comparing. Prints JSON; cost.py reads it.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <random>
#include <span>
#include <vector>

#include "engine/retrieval/inverted_lists.h"
#include "octavo/retrieval.h"

namespace {

constexpr int rounds = 5;

// The time of the processor, of which other work takes nothing.
class CoreTime {
 public:
  [[nodiscard]] double seconds() const { return static_cast<double>(std::clock() - begin_) / CLOCKS_PER_SEC; }

 private:
  std::clock_t begin_ = std::clock();
};

// [second] for a code that is compared.
double code_seconds() {
  constexpr std::uint32_t images = 80'000, per_image = 256;
  std::mt19937_64 random(1);
  octavo::InvertedListsWriter writer;
  std::vector<octavo::ListedFeature> features(std::size_t{images} * per_image);
  for (std::size_t i = 0; i < features.size(); ++i) {
    octavo::ListedFeature& one = features[i];
    const std::uint64_t bits = random();
    one = {.word = static_cast<std::uint16_t>(bits),
           .code = random(),
           .scale = static_cast<std::uint8_t>(bits >> 16),
           .orientation = static_cast<std::uint8_t>(bits >> 24)};
    writer.count(static_cast<std::uint32_t>(i / per_image), one.word);
  }
  std::vector<std::uint64_t> memory((writer.bytes(images) + 7) / 8);
  const auto storage = std::as_writable_bytes(std::span(memory)).first(writer.bytes(images));
  writer.begin(storage, images);
  for (std::size_t i = 0; i < features.size(); ++i) writer.add(static_cast<std::uint32_t>(i / per_image), features[i]);
  const octavo::InvertedLists lists(storage);
  octavo::WordCounts counts;
  counts.add(lists);

  constexpr std::size_t query_features = 512, words = 8;
  double best = 1e9;
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::array<std::uint16_t, words>> of_feature(query_features);
    std::vector<octavo::QueryFeature> query;
    std::uint64_t compared = 0;
    for (auto& one : of_feature) {
      for (std::uint16_t& word : one) {
        word = static_cast<std::uint16_t>(random());
        compared += lists.features_of(word);
      }
      query.push_back({.words = one, .code = random(), .scale = 0, .orientation = 0});
    }
    const CoreTime since;
    static_cast<void>(lists.vote(query, counts, {.most_codes = compared}));
    best = std::min(best, since.seconds() / static_cast<double>(compared));
  }
  return best;
}

// [second] for a pair of images.
double product_seconds() {
  constexpr std::size_t images = 2000, length = 8192;
  std::mt19937_64 random(2);
  std::vector<std::vector<std::int16_t>> vlads(images, std::vector<std::int16_t>(length));
  for (auto& vlad : vlads) {
    for (std::int16_t& number : vlad) number = static_cast<std::int16_t>(random() % 363) - 181;
  }
  const octavo::DeviceOptions one_core{.threads = 1};
  double best = 1e9;
  for (int round = 0; round < rounds; ++round) {
    const CoreTime since;
    static_cast<void>(octavo::most_similar_images(vlads, 50, one_core));
    best = std::min(best, since.seconds() / (images * (images - 1) / 2.0));
  }
  return best;
}

}  // namespace

int main() {
  fmt::print("{{\"code_core_seconds\": {:.4g}, \"vlad_product_core_seconds\": {:.4g}}}\n", code_seconds(),
             product_seconds());
}
