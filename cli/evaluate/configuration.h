#pragma once

// What `octavo evaluate` compares: several configurations of Octavo, and features that other programs found.

#include <string>
#include <vector>

#include "cli/command_line.h"
#include "octavo/study/evaluation.h"

namespace octavo::cli {

/// What the command line says of configurations.
struct Comparison {
  std::vector<std::string> configurations;  ///< "NAME: OPTIONS"
  std::vector<std::string> features;        ///< "NAME=DIR"
  bool can_refine = false;                  ///< whether there is --refine
  /// The options beside --configuration, to which each is applied. A comparison has the budget that is asked for.
  Configuration base{.name = "octavo", .detector = SiftOptions{.max_features = 0}};
};

/// Refuses options of detectors and matching that the command line gives, but that have no effect: without
/// --configuration as always; otherwise those that a configuration's preset or detector overrides, and those that no
/// configuration uses.
void require_effects_of(const Command& command, const Comparison& asked);

/// The configurations that the command line asks for: each --configuration applied to the base options, or the base
/// options as "octavo" if there is no --configuration; then those of --features. Throws WrongCall that names the
/// configuration.
std::vector<Configuration> configurations_of(const Comparison& asked);

}  // namespace octavo::cli
