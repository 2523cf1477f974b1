#pragma once

// The description of an algorithm's options, as data. Each options struct has one table. All code that reads, checks,
// sets, prints or documents options uses the table: `validate`, the command line and its manual, JSON, the user guide,
// and the keyword arguments of bindings to other languages.

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "octavo/api.h"

namespace OCTAVO_API octavo {

/// The value of an option: of a flag, a whole number, a number, or the word of a choice or a text.
using OptionValue = std::variant<bool, std::int64_t, double, std::string>;

/// What values an option has.
enum class OptionKind : std::uint8_t {
  flag,     ///< true or false
  integer,  ///< a whole number
  number,   ///< a floating-point number, never NaN
  choice,   ///< one of a few words; in C++ an enumeration
  text,     ///< a name; the code that uses it checks it
};

/// A condition of another option's effect: an option of the same struct has a value, or has not.
struct OptionNeed {
  std::string_view option;    ///< the name, e.g. "smoothing"
  std::string_view value;     ///< as option_text writes it, e.g. "trilateral"
  bool is_any_other = false;  ///< any value but this one is needed
};

/// The description of an option, the same type for every options struct.
struct OptionFacts {
  std::string_view name{};   ///< the name of the struct's member, e.g. "max_octaves"
  std::string_view group{};  ///< the heading in manuals, e.g. "Selection options"
  /// One or two sentences for manuals, in ASCII. The names of other options are in backticks.
  std::string_view sentence{};
  std::string_view symbol{};  ///< the symbol of the value in manuals, e.g. "N"; for numbers and texts
  std::string_view unit{};    ///< "pixel", "byte"; empty: none
  /// The range of an integer or a number, both ends included. By default any value of the member's type is allowed.
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  std::optional<double> special{};            ///< one more allowed value, outside the range; the sentence says why
  bool odd = false;                           ///< for integers: even values are not allowed
  std::span<const std::string_view> words{};  ///< for choices: the word of each enumerator, from 0
  std::span<const OptionNeed> needs{};        ///< the option has no effect unless all of these are met
  OptionKind kind = OptionKind::flag;         ///< the kind of the member's type
  bool is_bounded = false;                    ///< the range is the option's own, not that of the member's type
};

/// The value as manuals and errors write it: true, 12, 0.04, bt709.
std::string option_text(const OptionValue& value);

/// The value as JSON; a number that is not finite is null.
std::string json_of(const OptionValue& value);

/// Throws Error(invalid_option) if the value is invalid for the option. An option that is a number accepts a whole
/// number too. `subject` is passed to the error.
void check_value(const OptionFacts& option, const OptionValue& value, std::string_view subject = {});

/// Whether an option of this value meets the condition.
bool is_met(const OptionNeed& need, const OptionValue& value);

/// Throws Error(invalid_option) for an unknown word. The error lists the known words, and names the nearest.
[[noreturn]] void refuse_word(std::string_view option, std::string_view word, std::span<const std::string_view> known);

/// An option of a certain struct, with functions that access its member.
template <class Options>
struct Option : OptionFacts {
  /// Reads the member. An enumerator without a word is returned as its number.
  OptionValue (*read)(const Options& options, const OptionFacts& facts);
  /// Writes the member; `value` has passed check_value.
  void (*write)(Options& options, const OptionFacts& facts, const OptionValue& value);
  /// Changes the options whose defaults depend on this one. Is called after this option is set; `before` holds the
  /// options before that. May be null.
  void (*follow)(Options& options, const Options& before);
};

/// The options of a published system.
template <class Options>
struct OptionPreset {
  std::string_view name;  ///< for programs: "colmap"
  Options (*options)();   ///< gives all its values
};

/// The table of an options struct. Code that sets several options sets them in the order of the table. An option that
/// follows from another (trilateral smoothing switches the edge test off) can thus be overridden by its own value.
template <class Options>
struct OptionTable {
  std::string_view name{};                       ///< of the algorithm, for programs: "foagdd"
  std::string_view title{};                      ///< of the algorithm, for people: "FOAGDD"
  std::string_view sentence{};                   ///< for a detector: what its points are
  std::string_view subject{};                    ///< the word before an option's name in errors; may be empty
  std::vector<Option<Options>> options{};        ///< in the order in which they are set
  std::vector<OptionPreset<Options>> presets{};  ///< named sets of values; none for most structs
  /// Throws Error(invalid_option) for options that are valid one by one but not together. May be null.
  void (*check_together)(const Options& options) = nullptr;

  /// The option of this name, or null if there is none.
  [[nodiscard]] const Option<Options>* find(std::string_view option) const {
    for (const Option<Options>& one : options) {
      if (one.name == option) return &one;
    }
    return nullptr;
  }

  /// The first condition of the option's effect that these values do not meet, or null if the option has an effect.
  [[nodiscard]] const OptionNeed* unmet(const Options& values, const OptionFacts& option) const {
    for (const OptionNeed& need : option.needs) {
      const Option<Options>& needed = *find(need.option);
      if (!is_met(need, needed.read(values, needed))) return &need;
    }
    return nullptr;
  }

  /// Throws Error(invalid_option) for the first option with an invalid value. The error names the option.
  void validate(const Options& values) const {
    for (const Option<Options>& one : options) check_value(one, one.read(values, one), subject);
    if (check_together != nullptr) check_together(values);
  }

  /// The options of a preset. Throws Error(invalid_option) for an unknown name; the error lists the known ones.
  [[nodiscard]] Options preset(std::string_view preset_name) const {
    std::vector<std::string_view> known;
    for (const OptionPreset<Options>& one : presets) {
      if (one.name == preset_name) return one.options();
      known.push_back(one.name);
    }
    refuse_word("preset", preset_name, known);
  }

  /// Sets the option, and the options whose defaults depend on it. Throws Error(invalid_option) for an invalid value;
  /// the options are then unchanged.
  void set(Options& values, const Option<Options>& option, const OptionValue& value) const {
    check_value(option, value, subject);
    const Options before = values;
    option.write(values, option, value);
    if (option.follow != nullptr) option.follow(values, before);
  }
};

/// The options as a JSON object. The keys are the names, in the order of the table.
template <class Options>
std::string json_of(const OptionTable<Options>& table, const Options& values) {
  std::string json;
  for (const Option<Options>& option : table.options) {
    json += json.empty() ? "{" : ",";
    json += json_of(std::string(option.name)) + ":" + json_of(option.read(values, option));
  }
  return json + "}";
}

/// The table of an options struct. SiftOptions, FoagddOptions, TrilateralOptions, MatchOptions, Guide, RobustOptions,
/// DeviceOptions and ReadOptions have one. It is declared in the header of the struct.
template <class Options>
const OptionTable<Options>& option_table() = delete;

}  // namespace octavo
