#pragma once

// The options that several commands share. Their names, values, ranges and sentences come from the library's option
// tables. The tables check the values too, so a value out of range is the same error here as in C++.

#include <CLI/App.hpp>
#include <algorithm>
#include <charconv>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "octavo/device.h"
#include "octavo/error.h"
#include "octavo/geometry.h"
#include "octavo/matcher.h"
#include "octavo/option_table.h"
#include "octavo/read_options.h"
#include "octavo/sift_options.h"
#include "octavo/trilateral_options.h"

namespace octavo::cli {

/// Adds --preset and every option of SIFT. The preset is applied first, wherever it stands on the command line.
void add_sift_options(CLI::App& command, SiftOptions& options);

/// Adds --sigma, --window, --luma.
void add_trilateral_options(CLI::App& command, TrilateralOptions& options);

/// Adds --device, --isa, --threads, --gpu-memory.
void add_device_options(CLI::App& command, DeviceOptions& options);

/// Adds --ratio, --no-mutual, --max-distance.
void add_match_options(CLI::App& command, MatchOptions& options);

/// Adds --method, --threshold, --confidence, --max-iterations, --seed.
void add_robust_options(CLI::App& command, RobustOptions& options);

/// Adds --no-exif-rotation, --max-pixels.
void add_read_options(CLI::App& command, ReadOptions& options);

/// The spelling of an option on the command line: "--max-octaves" for "max_octaves".
std::string flag_of(std::string_view option);

/// The sentence, with the names of options, which stand in backticks, spelled as on the command line.
std::string with_flags(std::string_view sentence);

/// The error as a sentence. An option that the command has is spelled as on the command line ("--max-octaves is 99, but
/// must be between 0 and 32").
std::string sentence_of(const CLI::App& command, const Error& error);

/// Adds --preset, which takes the names of published systems. `choose` receives the name.
CLI::Option* add_preset(CLI::App& command, const std::vector<std::string_view>& names,
                        const std::function<void(const std::string&)>& choose);

/// Adds an option of a table. `set` receives its values. The manual shows `default_value`, unless it is empty.
CLI::Option* add_option(CLI::App& command, const OptionFacts& option, const std::string& default_value,
                        const std::function<void(const OptionValue&)>& set);

/// Adds the options of a table, bound to a struct. The manual shows the struct's present values as defaults. `left_out`
/// are the options that the command line has in another form. CLI11 assigns options in the order of their definition,
/// which is the table's. Struct and table must outlive the parsing.
template <class Options>
void add_options(CLI::App& command, const OptionTable<Options>& table, Options& options,
                 std::initializer_list<std::string_view> left_out = {}) {
  for (const Option<Options>& option : table.options) {
    if (std::find(left_out.begin(), left_out.end(), option.name) != left_out.end()) continue;
    const std::string now = option.kind == OptionKind::flag ? "" : option_text(option.read(options, option));
    add_option(command, option, now,
               [&table, &option, &options](const OptionValue& value) { table.set(options, option, value); });
  }
}

/// A check that accepts a text if all of it is a number of this type.
template <typename Number>
CLI::Validator is_number() {
  return CLI::Validator(
      [](const std::string& text) -> std::string {
        Number number{};
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error == std::errc::result_out_of_range) return text + " is out of range";
        if (error != std::errc() || end != text.data() + text.size()) {
          return "'" + text + (std::is_integral_v<Number> ? "' is not a whole number" : "' is not a number");
        }
        return {};
      },
      "");
}

/// Adds an option that takes a number. The manual shows the present value as the default.
template <typename Number>
CLI::Option* add_number(CLI::App& command, const std::string& name, Number& value, const std::string& value_name,
                        const std::string& description) {
  return command.add_option(name, value, description)
      ->type_name(value_name)
      ->check(is_number<Number>())
      ->capture_default_str();
}

/// Adds an option that takes one of a list of words.
template <typename Value>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Value& value,
                        const std::vector<std::pair<std::string, Value>>& words, const std::string& description) {
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
  return command.add_option_function<std::string>(name, choose, description)
      ->check(CLI::IsMember(names))
      ->default_str(now);
}

}  // namespace octavo::cli
