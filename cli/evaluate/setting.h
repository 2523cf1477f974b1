#pragma once

// What `octavo evaluate` compares: several settings of Octavo, and features that other programs found.

#include <string>
#include <vector>

#include "study/evaluate/comparison.h"

namespace octavo::cli {

class Command;

/// The settings as words of the command line.
struct SettingWords {
  std::vector<std::string> settings;  ///< "NAME: OPTIONS"
  std::vector<std::string> features;  ///< "NAME=DIR"
};

/// Adds --setting.
void add_setting_option(Command& command, SettingWords& words);

/// Adds --features.
void add_features_option(Command& command, SettingWords& words);

/// Refuses options of detectors and matching that the command line gives, but that have no effect: without --setting as
/// always; otherwise those that a setting's preset or detector overrides, and those that no setting uses.
void require_effects(const Command& command, const SettingWords& words, const DetectorOptions& detector,
                     const MatchOptions& match);

/// The settings that the command line asks for: each --setting applied to the base options, or the base options as
/// "octavo" if there is no --setting; then those of --features. Throws WrongCall that names the setting.
std::vector<Setting> settings_of(const SettingWords& words, const DetectorOptions& detector, const MatchOptions& match);

}  // namespace octavo::cli
