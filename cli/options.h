#pragma once

// The options that several commands share. Their names, values, ranges and sentences come from the library's option
// tables. The tables check the values too, so a value out of range is the same error here as in C++.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "cli/command_line.h"
#include "octavo/option_table.h"

namespace octavo {
class Error;
struct DeviceOptions;
struct MatchOptions;
struct ReadOptions;
struct SiftOptions;
}  // namespace octavo

namespace octavo::cli {

/// Adds --preset and every option of SIFT but those left out. The preset is applied first, wherever it stands on the
/// command line. An option that is given, but has no effect, is a wrong call, by the command's `check`.
void add_sift_options(Command& command, SiftOptions& options, std::initializer_list<std::string_view> left_out = {});

/// Adds --device, --isa, --threads, --gpu-memory. An option that has no effect on the named device is a wrong call.
void add_device_options(Command& command, DeviceOptions& options);

/// Adds --ratio, --no-mutual, --max-distance2.
void add_match_options(Command& command, MatchOptions& options);

/// Images whose files are not whole are lines of the error stream, each once.
void print_warnings(ReadOptions& options);

/// Adds --no-exif-rotation, --max-pixels, --range. Prints warnings.
void add_read_options(Command& command, ReadOptions& options);

/// The spelling of an option on the command line: "--max-octaves" for "max_octaves".
std::string flag_of(std::string_view option);

/// The sentence, with the names of options, which stand in backticks, spelled as on the command line.
std::string with_flags(std::string_view sentence);

/// The error as a sentence. An option that the command has is spelled as on the command line ("--max-octaves is 99, but
/// must be between 0 and 32").
std::string sentence_of(const Command& command, const Error& error);

/// Adds an option that takes one of these words, and passes it to `choose`. Another word is a wrong call.
CommandOption& add_words(Command& command, const std::string& name, const std::vector<std::string>& words,
                         const std::function<void(const std::string&)>& choose);

/// Throws the error of an option that is given, but has no effect: "--grid has no effect without --max-features".
/// `circumstance` is "without --max-features".
[[noreturn]] void refuse_without_effect(std::string_view flag, const std::string& circumstance);

/// Refuses the option, or those of the options, that the command line gives.
void refuse_if_given(const Command& command, std::string_view flag, const std::string& circumstance);
void refuse_if_given(const Command& command, std::initializer_list<std::string_view> flags,
                     const std::string& circumstance);

/// Refuses the options of a table that the command line gives: refuse_options<DeviceOptions> where nothing is computed.
template <class Options>
void refuse_options(const Command& command, const std::string& circumstance) {
  for (const Option<Options>& option : option_table<Options>().options) {
    refuse_if_given(command, flag_of(option.name), circumstance);
  }
}

/// Refuses the option, of the memory of GPUs, if the command line gives it and the device is none.
void refuse_without_gpu(const Command& command, std::string_view flag, const DeviceOptions& options);

/// Refuses all options of reading: no image is read.
void refuse_read_options(const Command& command, const std::string& circumstance);

/// Refuses --recursive where no place is a folder, nor a pattern, which may find some.
void require_folder_to_recurse(const Command& command, std::span<const std::string> places);

/// A condition that is not met, as refuse_without_effect takes it: "without --describe", "with --upright".
std::string circumstance_of(const OptionNeed& unmet);

/// Refuses the options of the table that the command line gives, but that have no effect with these values.
template <class Options>
void require_effects(const Command& command, const Options& values) {
  const OptionTable<Options>& table = option_table<Options>();
  for (const Option<Options>& option : table.options) {
    const OptionNeed* const unmet = table.unmet(values, option);
    if (unmet != nullptr) refuse_if_given(command, flag_of(option.name), circumstance_of(*unmet));
  }
}

/// The value that the text stands for, of the option's kind. Throws Error(invalid_option) for a text that is no number
/// or too large a number.
OptionValue value_of(const OptionFacts& option, const std::string& text);

/// Adds an option of a table. `set` receives its values. The manual shows `default_value`, unless it is empty.
CommandOption& add_option(Command& command, const OptionFacts& option, const std::string& default_value,
                          const std::function<void(const OptionValue&)>& set);

/// Adds an option that is a number of MiB on the command line and bytes in the library. `bytes` is the default.
CommandOption& add_mebibytes(Command& command, OptionFacts option, std::uint64_t bytes,
                             const std::function<void(std::uint64_t)>& take);

/// Adds the options of a struct's table, bound to the struct. The manual shows the struct's present values as defaults.
/// `left_out` are the options that the command line has in another form. Options are assigned in the order of their
/// definition, which is the table's. The struct must outlive the parsing.
template <class Options>
void add_options(Command& command, Options& options, std::span<const std::string_view> left_out = {}) {
  const OptionTable<Options>& table = option_table<Options>();
  for (const Option<Options>& option : table.options) {
    if (std::ranges::find(left_out, option.name) != left_out.end()) continue;
    const std::string now = option.kind == OptionKind::flag ? "" : option_text(option.read(options, option));
    add_option(command, option, now,
               [&table, &option, &options](const OptionValue& value) { table.set(options, option, value); });
  }
}

template <class Options>
void add_options(Command& command, Options& options, std::initializer_list<std::string_view> left_out) {
  add_options(command, options, std::span(left_out.begin(), left_out.size()));
}

/// Adds an option that takes a number and is in no table. `option` needs no kind; the manual shows its range, and the
/// present value as the default.
template <typename Number>
CommandOption& add_number(Command& command, OptionFacts option, Number& value) {
  constexpr bool is_whole = std::is_integral_v<Number>;
  using Value = std::conditional_t<is_whole, std::int64_t, double>;
  option.kind = is_whole ? OptionKind::integer : OptionKind::number;
  option.is_bounded = true;
  return add_option(command, option, option_text(static_cast<Value>(value)),
                    [option, &value](const OptionValue& given) {
                      check_value(option, given);
                      value = static_cast<Number>(std::get<Value>(given));
                    });
}

/// Adds an option that takes one of a list of words and is in no table.
template <typename Value>
CommandOption& add_choice(Command& command, const std::string& name, Value& value,
                          const std::vector<std::pair<std::string, Value>>& words) {
  std::vector<std::string> names;
  std::string now;
  for (const auto& [word, meaning] : words) {
    names.push_back(word);
    if (meaning == value) now = word;
  }
  const auto choose = [&value, words](const std::string& chosen) {
    for (const auto& [word, meaning] : words) {
      if (word == chosen) value = meaning;
    }
  };
  return add_words(command, name, names, choose).default_str(now);
}

}  // namespace octavo::cli
