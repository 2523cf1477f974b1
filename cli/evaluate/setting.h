#pragma once

// What `octavo evaluate` compares: several settings of Octavo, and features that other programs found.

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/detector.h"
#include "octavo/matcher.h"

namespace octavo::cli {

/// A way to find features, and to match them.
struct Setting {
  std::string name;
  DetectorOptions detector;
  MatchOptions match;
  std::filesystem::path features{};  ///< the folder from which they are read; empty: Octavo finds them
  std::string words{};               ///< its options as --setting gave them
};

/// What the command line says of the settings.
struct SettingWords {
  std::vector<std::string> settings;  ///< "NAME: OPTIONS"
  std::vector<std::string> features;  ///< "NAME=DIR"
};

/// --setting.
void add_setting_option(CLI::App& command, SettingWords& words);

/// --features.
void add_features_option(CLI::App& command, SettingWords& words);

/// The settings that the command line asks for: those of --setting over the base options, otherwise the base options
/// as "octavo"; and those of --features. Throws CLI::ValidationError naming the setting.
std::vector<Setting> settings_of(const SettingWords& words, const DetectorOptions& detector, const MatchOptions& match);

/// The options as the program calls them.
nlohmann::ordered_json as_json(const Setting& setting);

}  // namespace octavo::cli
