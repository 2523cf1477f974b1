#pragma once

// The options `range`, `black` and `white`, which say what the values of samples become, for the tables of all who read
// images or videos.

#include <array>
#include <string_view>

#include "octavo/error.h"
#include "octavo/option_table.h"

namespace octavo {

inline constexpr std::array<std::string_view, 2> range_words{"image", "full"};  // InputRange
inline constexpr std::array range_need{OptionNeed{"range", "image"}};

template <class Options>
bool has_own_range(const Options& options) {
  return options.black != 0 || options.white != 0;
}

/// Throws Error(invalid_option) unless `black` is below `white`, or both are 0.
template <class Options>
void check_range(const Options& options) {
  if (!has_own_range(options)) return;
  if (range_words[static_cast<std::size_t>(options.range)] != range_need.front().value) {
    throw Error(ErrorCode::invalid_option,
                InvalidOption{"range", "\"full\"", "must be image beside `black` and `white`, which are a range too"});
  }
  if (options.black < options.white) return;
  throw Error(ErrorCode::invalid_option, InvalidOption{"white", option_text(options.white),
                                                       "must be above `black`, " + option_text(options.black)});
}

constexpr OptionFacts range_facts(std::string_view group, std::string_view sentence) {
  return {.name = "range", .group = group, .sentence = sentence, .words = range_words};
}

constexpr OptionFacts black_facts(std::string_view group, std::string_view sentence) {
  return {.name = "black", .group = group, .sentence = sentence, .symbol = "V", .needs = range_need};
}

constexpr OptionFacts white_facts(std::string_view group) {
  return {.name = "white",
          .group = group,
          .sentence = "The value that becomes white, above `black`.",
          .symbol = "V",
          .needs = range_need};
}

}  // namespace octavo
