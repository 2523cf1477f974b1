// A configuration is a command line within the command line. The same options parse it, into the same structs.

#include "cli/evaluate/configuration.h"

#include <fmt/core.h>

#include <set>

#include "cli/complaint.h"
#include "cli/detector.h"
#include "cli/options.h"
#include "cli/parse.h"
#include "octavo/error.h"

namespace octavo::cli {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin, end + 1 - begin);
}

[[noreturn]] void refuse_configuration(const std::string& name, const std::string& why) {
  throw WrongCall("--configuration", fmt::format("{}: {}", name, why));
}

// A configuration, and the flags that its words give.
struct ParsedConfiguration {
  Configuration configuration;
  std::set<std::string> given{};
};

ParsedConfiguration parsed(const std::string& word, const Comparison& asked) {
  const std::size_t colon = word.find(':');
  Configuration configuration = asked.base;
  configuration.name = trimmed(word.substr(0, colon));
  if (colon == std::string::npos || configuration.name.empty()) {
    throw Error(ErrorCode::invalid_option,
                InvalidOption{"configuration", fmt::format("\"{}\"", word), "must be of the form 'NAME: OPTIONS'"});
  }
  configuration.arguments = trimmed(word.substr(colon + 1));
  Command options("", {});
  add_detector_options(options, configuration.detector, Descriptors::if_any);
  add_match_options(options, configuration.match);
  if (asked.can_refine) options.add_flag("--refine", configuration.refine);
  options.check = {};
  try {
    parse(options, split_words(configuration.arguments));
    // A preset sets the budget too, but all configurations are compared at one budget.
    if (!options.is_given("--max-features")) set_budget(configuration, max_features_of(asked.base.detector));
    require_effects(options, configuration.detector);
    validate(configuration.detector);
    validate(configuration.match);
  } catch (const WrongCall& error) {
    refuse_configuration(configuration.name, error.what());
  } catch (const Error& error) {
    refuse_configuration(configuration.name, sentence_of(options, error));
  }
  ParsedConfiguration result{.configuration = std::move(configuration)};
  for (const auto& option : options.options()) {
    if (option->count() > 0) result.given.insert(option->name());
  }
  return result;
}

// What an option of the command line does in a configuration.
enum class Effect { none, overridden, some };

Effect effect_of(const std::string& flag, const DetectorOptions& detector, const ParsedConfiguration& parsed) {
  if (parsed.given.contains(flag)) return Effect::none;
  if (flag == "--preset" && parsed.given.contains("--detector")) return Effect::none;
  for (const OptionFacts& option : detector_of(detector).options) {
    if (flag_of(option.name) != flag) continue;
    const DetectorOptions& here = parsed.configuration.detector;
    if (detector_of(here).find(option.name) == nullptr || unmet_need(here, option.name) != nullptr) return Effect::none;
    return option_of(here, option.name) == option_of(detector, option.name) ? Effect::some : Effect::overridden;
  }
  return Effect::some;
}

Configuration imported(const std::string& word, const Comparison& asked) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == word.size()) {
    throw Error(ErrorCode::invalid_option,
                InvalidOption{"features", fmt::format("\"{}\"", word), "must be of the form 'NAME=DIR'"});
  }
  Configuration configuration = asked.base;
  configuration.name = word.substr(0, equals);
  configuration.features = word.substr(equals + 1);
  return configuration;
}

}  // namespace

void require_effects_of(const Command& command, const Comparison& asked) {
  if (asked.configurations.empty()) return require_effects(command, asked.base.detector);
  std::vector<ParsedConfiguration> configurations;
  for (const std::string& word : asked.configurations) configurations.push_back(parsed(word, asked));
  Command known("", {});
  Configuration base = asked.base;
  add_detector_options(known, base.detector, Descriptors::if_any);
  const std::size_t of_detectors = known.options().size();
  add_match_options(known, base.match);
  for (std::size_t i = 0; i < known.options().size(); ++i) {
    const std::string& flag = known.options()[i]->name();
    if (!command.is_given(flag)) continue;
    // Features of other programs are matched, and cut to the budget.
    bool has_effect = !asked.features.empty() && (flag == "--max-features" || i >= of_detectors);
    for (const ParsedConfiguration& one : configurations) {
      const Effect effect = effect_of(flag, asked.base.detector, one);
      if (effect == Effect::overridden) {
        refuse_without_effect(flag, fmt::format("on --configuration '{}: {}', which sets it too: give it there",
                                                one.configuration.name, one.configuration.arguments));
      }
      has_effect = has_effect || effect == Effect::some;
    }
    if (!has_effect) refuse_without_effect(flag, "with --configuration: no configuration uses this value");
  }
}

std::vector<Configuration> configurations_of(const Comparison& asked) {
  validate(asked.base.detector);
  validate(asked.base.match);
  std::vector<Configuration> configurations;
  if (asked.configurations.empty()) configurations.push_back(asked.base);
  for (const std::string& word : asked.configurations) configurations.push_back(parsed(word, asked).configuration);
  for (const std::string& word : asked.features) configurations.push_back(imported(word, asked));
  return configurations;
}

}  // namespace octavo::cli
