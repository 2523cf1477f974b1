// Settings are command lines within the command line: the same parser reads them, into the same structs.

#include "cli/evaluate/setting.h"

#include <fmt/core.h>

#include <cmath>
#include <set>

#include "cli/options.h"
#include "cli/smoothing_json.h"
#include "octavo/error.h"

namespace octavo::cli {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin, end + 1 - begin);
}

void check(const DetectorOptions& detector) {
  if (detector.detector == Detector::foagdd) return validate(detector.foagdd);
  validate(detector.sift);
}

Setting parsed(const std::string& word, const DetectorOptions& detector, const MatchOptions& match) {
  const std::size_t colon = word.find(':');
  Setting setting{.name = trimmed(word.substr(0, colon)), .detector = detector, .match = match};
  if (colon == std::string::npos || setting.name.empty()) {
    throw CLI::ValidationError("--setting", fmt::format("'{}' is not of the form 'NAME: OPTIONS'", word));
  }
  setting.words = trimmed(word.substr(colon + 1));
  CLI::App options;
  options.set_help_flag();
  options.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  add_detector_options(options, setting.detector);
  add_match_options(options, setting.match);
  try {
    options.parse(setting.words);
    // A preset is a whole set of options, but what is compared is compared at one budget.
    if (options.get_option("--max-features")->empty()) {
      setting.detector.sift.max_features = detector.sift.max_features;
    }
    check(setting.detector);
    validate(setting.match);
  } catch (const CLI::ExtrasError&) {
    throw CLI::ValidationError(
        "--setting", fmt::format("{}: there is no option '{}' of detection, selection, description or matching",
                                 setting.name, options.remaining().front()));
  } catch (const CLI::ParseError& error) {
    throw CLI::ValidationError("--setting", fmt::format("{}: {}", setting.name, error.what()));
  } catch (const Error& error) {
    throw CLI::ValidationError("--setting",
                               fmt::format("{}: {}", setting.name, as_option_error(options, error.what())));
  }
  return setting;
}

Setting imported(const std::string& word, const DetectorOptions& detector, const MatchOptions& match) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == word.size()) {
    throw CLI::ValidationError("--features", fmt::format("'{}' is not of the form 'NAME=DIR'", word));
  }
  Setting setting{
      .name = word.substr(0, equals), .detector = detector, .match = match, .features = word.substr(equals + 1)};
  if (!std::filesystem::is_directory(setting.features)) {
    throw CLI::ValidationError("--features",
                               fmt::format("{}: there is no folder '{}'", setting.name, setting.features.string()));
  }
  return setting;
}

std::string name_of(Luma luma) { return luma == Luma::bt709 ? "bt709" : "bt601"; }

// What only this detector has.
nlohmann::ordered_json as_json(const SiftOptions& sift) {
  nlohmann::ordered_json json{{"first_octave", sift.first_octave},
                              {"max_octaves", sift.max_octaves},
                              {"layers", sift.layers},
                              {"sigma", sift.sigma},
                              {"assumed_blur", sift.assumed_blur},
                              {"contrast_threshold", sift.contrast_threshold},
                              {"edge_threshold", sift.edge_threshold},
                              {"luma", name_of(sift.luma)},
                              {"rank", sift.rank == Rank::response ? "response" : "scale"}};
  json.update(smoothing_as_json(sift));
  return json;
}

nlohmann::ordered_json as_json(const FoagddOptions& foagdd) {
  return {{"directions", foagdd.directions},
          {"verify_scales", foagdd.verify_scales},
          {"rho", foagdd.rho},
          {"window", foagdd.window},
          {"corner_threshold", foagdd.corner_threshold},
          {"luma", name_of(foagdd.luma)},
          {"descriptor_scale", foagdd.descriptor_scale}};
}

}  // namespace

void add_setting_option(CLI::App& command, SettingWords& words) {
  command
      .add_option("--setting", words.settings,
                  "A setting to compare: its name and the detection, selection, description and matching options that "
                  "distinguish it from those of the command line, as in \"rootsift: --descriptor rootsift\". May be "
                  "given several times. Default: octavo, the options of the command line.")
      ->type_name("'NAME: OPTIONS'")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false)
      ->group("Settings");
}

void add_features_option(CLI::App& command, SettingWords& words) {
  command
      .add_option("--features", words.features,
                  "Features that another program found, as a setting too: those of an image are in DIR, under its path "
                  "below ROOT with .npz behind it, as `octavo extract --format npz` writes them. Descriptors are "
                  "128 whole numbers from 0 to 255, of any type. Of more than --max-features the ones of strongest "
                  "response are kept. May be given several times.")
      ->type_name("NAME=DIR")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false)
      ->group("Settings");
}

std::vector<Setting> settings_of(const SettingWords& words, const DetectorOptions& detector,
                                 const MatchOptions& match) {
  check(detector);
  validate(match);
  std::vector<Setting> settings;
  if (words.settings.empty()) settings.push_back({.name = "octavo", .detector = detector, .match = match});
  for (const std::string& word : words.settings) settings.push_back(parsed(word, detector, match));
  for (const std::string& word : words.features) settings.push_back(imported(word, detector, match));
  std::set<std::string> names;
  for (const Setting& setting : settings) {
    if (names.insert(setting.name).second) continue;
    throw CLI::ValidationError(
        setting.features.empty() ? "--setting" : "--features",
        fmt::format("there is a setting '{}' already, each needs a name of its own", setting.name));
  }
  return settings;
}

nlohmann::ordered_json as_json(const Setting& setting) {
  const SiftOptions& sift = setting.detector.sift;
  nlohmann::ordered_json json{{"name", setting.name}};
  if (!setting.features.empty()) {
    json["features"] = setting.features.string();
  } else {
    json["words"] = setting.words;
    const bool corners = setting.detector.detector == Detector::foagdd;
    json["detector"] = corners ? "foagdd" : "sift";
    json.update(corners ? as_json(setting.detector.foagdd) : as_json(sift));
    json.update({{"grid", sift.grid},
                 {"descriptor", sift.descriptor == DescriptorKind::sift ? "sift" : "rootsift"},
                 {"max_orientations", sift.max_orientations},
                 {"upright", sift.upright}});
  }
  json["max_features"] = sift.max_features;
  json["ratio"] = setting.match.ratio;
  json["mutual"] = setting.match.mutual;
  const bool is_limited = setting.match.max_distance2 != MatchOptions().max_distance2;
  json["max_distance"] = is_limited ? nlohmann::ordered_json(std::sqrt(setting.match.max_distance2)) : nullptr;
  return json;
}

}  // namespace octavo::cli
