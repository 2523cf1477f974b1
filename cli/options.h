#pragma once

// The options that several commands share, bound to the library's structs. Names, defaults and ranges are the
// library's; it checks the values itself, so a value out of range is the same error here as in C++.

#include <CLI/CLI.hpp>
#include <charconv>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "octavo/device.h"
#include "octavo/geometry.h"
#include "octavo/matcher.h"
#include "octavo/sift_options.h"
#include "octavo/trilateral_options.h"

namespace octavo::cli {

/// --preset and every field of SiftOptions. The preset is applied first, wherever it stands on the command line.
void add_sift_options(CLI::App& command, SiftOptions& options);

/// --sigma, --window, --luma.
void add_trilateral_options(CLI::App& command, TrilateralOptions& options);

/// --device, --isa, --threads, --gpu-memory.
void add_device_options(CLI::App& command, DeviceOptions& options);

/// --ratio, --no-mutual, --max-distance.
void add_match_options(CLI::App& command, MatchOptions& options);

/// --method, --threshold, --confidence, --max-iterations, --seed.
void add_robust_options(CLI::App& command, RobustOptions& options);

/// --no-exif-rotation.
void add_read_options(CLI::App& command, bool& apply_exif_rotation);

/// The library's "max_octaves is 99, …" as "--max-octaves is 99, …", where the command has such an option. Words before
/// the name, as in "robust threshold is 0, …", go.
std::string as_option_error(const CLI::App& command, const std::string& sentence);

/// An option that takes a number; its value now is the default that the manual shows.
template <typename Number>
CLI::Option* add_number(CLI::App& command, const std::string& name, Number& value, const std::string& value_name,
                        const std::string& description) {
  const CLI::Validator is_number(
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
  return command.add_option(name, value, description)->type_name(value_name)->check(is_number)->capture_default_str();
}

/// An option that takes one of a few words.
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
