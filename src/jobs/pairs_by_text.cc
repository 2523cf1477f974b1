// Pairs as users name them on one line: all, sequential:N, retrieval:K, or a file.

#include <fmt/core.h>

#include <charconv>
#include <utility>

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

}  // namespace

std::optional<PairOptions> pair_options_of(std::string_view pairs) {
  if (pairs == "all") return PairOptions{.by = PairsBy::exhaustive};
  if (const auto reach = number_behind(pairs, "sequential:")) {
    return PairOptions{.by = PairsBy::sequential, .overlap = *reach};
  }
  if (const auto neighbours = number_behind(pairs, "retrieval:")) return PairOptions{.neighbours = *neighbours};
  return std::nullopt;
}

PairList pairs_by_text(const std::string& pairs, PairsJob job, const JobContext& context) {
  if (const auto options = pair_options_of(pairs)) {
    job.options = *options;
    // An image that cannot be read has no pairs by likeness. Its extraction will tell why.
    return {choose_pairs(job, {.progress = context.progress, .stop = context.stop}).pairs, {}};
  }
  std::vector<std::string> names;
  for (const ImageFile& image : job.images) names.push_back(image.name.generic_string());
  return read_pair_list(pairs, names);
}

}  // namespace octavo
