#pragma once

// The option --detector and the options of every detector, from the library's list of detectors.

#include <string>
#include <vector>

#include "cli/command_line.h"
#include "octavo/detectors.h"

namespace octavo::cli {

/// Whether a command wants descriptors.
enum class Descriptors {
  on_request,  ///< only with --describe, for a detector that has this option
  if_any,      ///< of every detector that has some; the command has no --describe, and the options have it set
  always,      ///< as `if_any`; detectors that have none are not offered
};

/// --detector, --preset and the options of all detectors, as a user types them.
std::vector<std::string> detector_flags();

/// Refuses the options of the detector that the command line gives, but that have no effect with these values. Throws
/// WrongCall.
void require_effects(const Command& command, const DetectorOptions& options);

/// Adds --detector, --preset and the options of all detectors that are offered. An option that the chosen detector does
/// not have is a wrong call. `options` holds the defaults on entry and receives the values. If --detector chooses
/// another detector, the values of the options that both detectors have are kept (with_detector). The command's
/// check is require_effects.
void add_detector_options(Command& command, DetectorOptions& options, Descriptors descriptors);

}  // namespace octavo::cli
