// A command has the options of all detectors. Each value is set, by the option's name, in the options of the chosen
// detector.

#include "cli/detector.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"

namespace octavo::cli {
namespace {

[[noreturn]] void refuse(const DetectorOptions& options, std::string_view option, const std::string& more = "") {
  throw CLI::ValidationError(
      fmt::format("{} is of no use with --detector {}{}", flag_of(option), detector_of(options).name, more));
}

// Refuses options that have no effect unless a flag is set. The flag may follow them on the command line, so this check
// runs after parsing.
void refuse_what_needs_a_flag(const CLI::App& command, const DetectorOptions& options) {
  for (const OptionFacts& option : detector_of(options).options) {
    if (option.needs.empty() || std::get<bool>(option_of(options, option.needs))) continue;
    const CLI::Option* const given = command.get_option_no_throw(flag_of(option.name));
    if (given != nullptr && given->count() > 0) refuse(options, option.name, " without " + flag_of(option.needs));
  }
}

// The defaults of the detectors that have the option: "bt709" if they are equal, or "bt709 (foagdd: bt601)".
std::string defaults_of(const DetectorOptions& options, const OptionFacts& option) {
  if (option.kind == OptionKind::flag) return "";
  std::string usual, others;
  for (const DetectorFacts& detector : detectors()) {
    if (detector.find(option.name) == nullptr) continue;
    const bool is_chosen = &detector == &detector_of(options);
    const DetectorOptions values = is_chosen ? options : detector_options(detector.name);
    const std::string value = option_text(option_of(values, option.name));
    if (usual.empty()) usual = value;
    if (value != usual) others += fmt::format("{}{}: {}", others.empty() ? "" : ", ", detector.name, value);
  }
  return others.empty() ? usual : fmt::format("{} ({})", usual, others);
}

// "SIFT's blobs …, or FOAGDD's corners …. Of the options of SIFT, FOAGDD takes --luma, … too."
std::string manual_of_detectors() {
  const DetectorFacts& first = detectors().front();
  std::string points, shared;
  for (const DetectorFacts& detector : detectors()) {
    const bool is_last = &detector == &detectors().back();
    points += fmt::format("{}{}'s {}",
                          points.empty() ? ""
                          : is_last      ? ", or "
                                         : ", ",
                          detector.title, detector.sentence);
    if (&detector == &first) continue;
    std::vector<std::string> flags, with_needs;
    std::string_view needs;
    for (const OptionFacts& option : detector.options) {
      if (first.find(option.name) == nullptr) continue;
      (option.needs.empty() ? flags : with_needs).push_back(flag_of(option.name));
      if (!option.needs.empty()) needs = option.needs;
    }
    shared += fmt::format(" Of the options of {}, {} takes {}", first.title, detector.title, fmt::join(flags, ", "));
    if (!with_needs.empty()) {
      shared += fmt::format("{} and, where it describes its points, {}", flags.empty() ? "" : ",",
                            fmt::join(with_needs, ", "));
    }
    shared += ", besides its own.";
  }
  return "What the points are: " + points + "." + shared;
}

}  // namespace

void add_detector_options(CLI::App& command, DetectorOptions& options, Descriptors descriptors) {
  const bool always = descriptors == Descriptors::always;
  if (always) options = described(options);
  const std::string group(detectors().front().options.front().group);

  std::vector<std::string> names;
  for (const DetectorFacts& detector : detectors()) names.emplace_back(detector.name);
  command
      .add_option_function<std::string>(
          "--detector",
          [&options, always](const std::string& name) {
            options = with_detector(options, name);
            if (always) options = described(options);
          },
          manual_of_detectors())
      ->check(CLI::IsMember(names))
      ->default_str(std::string(detector_of(options).name))
      ->group(group);

  std::vector<std::string_view> presets;
  for (const DetectorFacts& detector : detectors()) {
    presets.insert(presets.end(), detector.presets.begin(), detector.presets.end());
  }
  const auto choose_preset = [&options, always](const std::string& name) {
    const std::vector<std::string_view>& known = detector_of(options).presets;
    if (std::find(known.begin(), known.end(), name) == known.end()) refuse(options, "preset");
    options = with_preset(options, name);
    if (always) options = described(options);
  };
  add_preset(command, presets, choose_preset)->group(group);

  std::set<std::string_view> added;
  for (const DetectorFacts& detector : detectors()) {
    for (const OptionFacts& option : detector.options) {
      if (!added.insert(option.name).second || (always && option.name == "describe")) continue;
      add_option(command, option, defaults_of(options, option),
                 [&options, name = option.name](const OptionValue& value) {
                   if (detector_of(options).find(name) == nullptr) refuse(options, name);
                   set_option(options, name, value);
                 });
    }
  }
  command.parse_complete_callback([&command, &options] { refuse_what_needs_a_flag(command, options); });
}

}  // namespace octavo::cli
