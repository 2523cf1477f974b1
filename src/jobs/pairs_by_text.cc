// Pairs as users name them on one line: all, sequential:N, retrieval:K, some of these joined by +, or a file.

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "octavo/error.h"
#include "octavo/jobs/collection_jobs.h"

namespace octavo {
namespace {

// The number in "sequential:N", if the text begins so.
std::optional<std::size_t> number_behind(std::string_view pairs, std::string_view word) {
  if (!pairs.starts_with(word)) return std::nullopt;
  const std::string_view number = pairs.substr(word.size());
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || end != number.data() + number.size() || value < 1 || value > 1000000) {
    throw Error(ErrorCode::invalid_option,
                InvalidOption{"pairs", fmt::format("\"{}\"", pairs), "must have a whole number between 1 and 1000000"});
  }
  return value;
}

// The options of one word; none: it is none of the words.
std::optional<PairOptions> options_of_word(std::string_view word) {
  if (word == "all") return PairOptions{.by = PairsBy::exhaustive};
  if (const auto reach = number_behind(word, "sequential:")) {
    return PairOptions{.by = PairsBy::sequential, .overlap = *reach};
  }
  if (const auto neighbours = number_behind(word, "retrieval:")) return PairOptions{.neighbours = *neighbours};
  return std::nullopt;
}

}  // namespace

std::vector<PairOptions> pair_options_of(std::string_view pairs) {
  std::vector<PairOptions> all;
  for (std::size_t begin = 0; begin <= pairs.size();) {
    const std::size_t end = std::min(pairs.find('+', begin), pairs.size());
    const auto options = options_of_word(pairs.substr(begin, end - begin));
    if (!options) return {};
    all.push_back(*options);
    begin = end + 1;
  }
  return all;
}

bool are_by_likeness(std::span<const PairOptions> pairs) {
  return std::ranges::any_of(pairs, [](const PairOptions& one) { return one.by == PairsBy::retrieval; });
}

PairList pairs_by_text(const std::string& pairs, PairsJob job, const JobContext& context) {
  const std::vector<PairOptions> all = pair_options_of(pairs);
  if (all.empty()) {
    std::vector<std::string> names;
    for (const ImageFile& image : job.images) names.push_back(image.name.generic_string());
    return read_pair_list(pairs, names);
  }
  std::set<ImagePair> chosen;
  for (const PairOptions& options : all) {
    job.options = options;
    // An image that cannot be read has no pairs by likeness. Its extraction will tell why.
    const ChosenPairs some = choose_pairs(job, {.progress = context.progress, .stop = context.stop});
    chosen.insert(some.pairs.begin(), some.pairs.end());
  }
  return {{chosen.begin(), chosen.end()}, {}};
}

}  // namespace octavo
