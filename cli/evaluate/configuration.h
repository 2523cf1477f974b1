#pragma once

// What `octavo evaluate` compares: several configurations of Octavo, and features that other programs found.

#include <string>
#include <vector>

#include "octavo/study/evaluation.h"

namespace octavo::cli {

class Command;

/// The configurations as words of the command line.
struct ConfigurationArguments {
  std::vector<std::string> configurations;  ///< "NAME: OPTIONS"
  std::vector<std::string> features;        ///< "NAME=DIR"
  bool can_refine = false, refine = false;  ///< whether there is --refine, and it is given
};

/// Refuses options of detectors and matching that the command line gives, but that have no effect: without
/// --configuration as always; otherwise those that a configuration's preset or detector overrides, and those that no
/// configuration uses.
void require_effects(const Command& command, const ConfigurationArguments& words, const DetectorOptions& detector,
                     const MatchOptions& match);

/// The configurations that the command line asks for: each --configuration applied to the base options, or the base
/// options as "octavo" if there is no --configuration; then those of --features. Throws WrongCall that names the
/// configuration.
std::vector<Configuration> configurations_of(const ConfigurationArguments& words, const DetectorOptions& detector,
                                             const MatchOptions& match);

}  // namespace octavo::cli
