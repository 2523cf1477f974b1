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

constexpr std::string_view describing = "describe";  // the option of detectors that describe points on request

[[noreturn]] void refuse(const DetectorOptions& options, std::string_view option) {
  refuse_without_effect(flag_of(option), fmt::format("with --detector {}", detector_of(options).name));
}

bool needs_describing(const OptionFacts& option) {
  return std::any_of(option.needs.begin(), option.needs.end(),
                     [](const OptionNeed& need) { return need.option == describing; });
}

using Detectors = std::vector<const DetectorFacts*>;

Detectors offered(Descriptors descriptors) {
  Detectors some;
  for (const DetectorFacts& detector : detectors()) {
    if (detector.has_descriptors || descriptors != Descriptors::always) some.push_back(&detector);
  }
  return some;
}

// The options, changed so that the points get the descriptors that the command wants.
DetectorOptions described_for(const DetectorOptions& options, Descriptors descriptors) {
  const bool are_wanted = descriptors != Descriptors::on_request && detector_of(options).has_descriptors;
  return are_wanted ? described(options) : options;
}

// The defaults of the detectors that have the option: "bt709" if they are equal, or "bt709 (foagdd: bt601)".
std::string defaults_of(const DetectorOptions& options, const OptionFacts& option, const Detectors& known) {
  if (option.kind == OptionKind::flag) return "";
  std::string usual, others;
  for (const DetectorFacts* const detector : known) {
    if (detector->find(option.name) == nullptr) continue;
    const bool is_chosen = detector == &detector_of(options);
    const DetectorOptions values = is_chosen ? options : detector_options(detector->name);
    const std::string value = option_text(option_of(values, option.name));
    if (usual.empty()) usual = value;
    if (value != usual) others += fmt::format("{}{}: {}", others.empty() ? "" : ", ", detector->name, value);
  }
  return others.empty() ? usual : fmt::format("{} ({})", usual, others);
}

// "SIFT's blobs …, or FOAGDD's corners …. Of the options of SIFT, FOAGDD takes --luma, … too."
std::string manual_of_detectors(const Detectors& known) {
  const DetectorFacts& first = *known.front();
  std::string points, shared;
  for (const DetectorFacts* const detector : known) {
    const bool is_last = detector == known.back();
    points += fmt::format("{}{}'s {}",
                          points.empty() ? ""
                          : is_last      ? ", or "
                                         : ", ",
                          detector->title, detector->sentence);
    if (detector == &first) continue;
    std::vector<std::string> flags, of_descriptions;
    for (const OptionFacts& option : detector->options) {
      if (first.find(option.name) == nullptr) continue;
      (needs_describing(option) ? of_descriptions : flags).push_back(flag_of(option.name));
    }
    if (flags.empty() && of_descriptions.empty()) continue;
    shared += fmt::format(" Of the options of {}, {} takes {}", first.title, detector->title, fmt::join(flags, ", "));
    if (!of_descriptions.empty()) {
      shared += fmt::format("{} and, where it describes its points, {}", flags.empty() ? "" : ",",
                            fmt::join(of_descriptions, ", "));
    }
    shared += ", besides its own.";
  }
  return "What the points are: " + points + "." + shared;
}

}  // namespace

std::vector<std::string> detector_flags() {
  std::vector<std::string> flags{"--detector", "--preset"};
  for (const DetectorFacts& detector : detectors()) {
    for (const OptionFacts& option : detector.options) flags.push_back(flag_of(option.name));
  }
  return flags;
}

// Refuses options that are given but have no effect. What gives them an effect may follow them on the command line, so
// this check runs after parsing.
void require_effects(const Command& command, const DetectorOptions& options) {
  for (const OptionFacts& option : detector_of(options).options) {
    const OptionNeed* const unmet = unmet_need(options, option.name);
    if (unmet == nullptr) continue;
    // The same option may have an effect with another detector.
    const std::string detector =
        unmet->option == describing ? fmt::format("with --detector {} ", detector_of(options).name) : "";
    refuse_if_given(command, flag_of(option.name), detector + circumstance_of(*unmet));
  }
}

void add_detector_options(Command& command, DetectorOptions& options, Descriptors descriptors) {
  options = described_for(options, descriptors);
  const Detectors known = offered(descriptors);

  std::vector<std::string> names;
  for (const DetectorFacts* const detector : known) names.emplace_back(detector->name);
  const auto choose_detector = [&options, descriptors](const std::string& name) {
    options = described_for(with_detector(options, name), descriptors);
  };
  CommandOption& chosen =
      add_words(command, "--detector", names, choose_detector).default_str(std::string(detector_of(options).name));
  if (chosen.description.empty()) chosen.description = manual_of_detectors(known);
  chosen.group = known.front()->options.front().group;

  std::vector<std::string_view> presets;
  for (const DetectorFacts* const detector : known) {
    for (const std::string_view preset : detector->presets) {
      if (std::ranges::find(presets, preset) == presets.end()) presets.push_back(preset);
    }
  }
  const auto choose_preset = [&options, descriptors](const std::string& name) {
    const std::vector<std::string_view>& ours = detector_of(options).presets;
    if (std::find(ours.begin(), ours.end(), name) == ours.end()) refuse(options, "preset");
    options = described_for(with_preset(options, name), descriptors);
  };
  add_words(command, "--preset", {presets.begin(), presets.end()}, choose_preset);

  std::set<std::string_view> added;
  for (const DetectorFacts* const detector : known) {
    for (const OptionFacts& option : detector->options) {
      const bool is_set = descriptors != Descriptors::on_request && option.name == describing;
      if (!added.insert(option.name).second || is_set) continue;
      add_option(command, option, defaults_of(options, option, known),
                 [&options, name = option.name](const OptionValue& value) {
                   if (detector_of(options).find(name) == nullptr) refuse(options, name);
                   set_option(options, name, value);
                 });
    }
  }
  command.check = [&command, &options] { require_effects(command, options); };
}

}  // namespace octavo::cli
