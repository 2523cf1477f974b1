#pragma once

// The report of --estimate: the memory that a command would take.

#include <string_view>

#include "cli/command_line.h"
#include "jobs/memory_report.h"

namespace octavo::cli {

/// Adds --estimate to a command whose work on an image has this name ("extraction"). It excludes `output`, and takes
/// away that the command needs it. Returns the option.
CommandOption& add_estimate(Command& command, std::string_view work, CommandOption& output, bool& estimate);

/// Prints for each image its size, the memory of the work on it on each device, and whether that is available, after
/// the sentences about images without one (`problems`). The JSON of one image is an object, unless it is `listed`.
/// Returns the exit code: 1 if an image cannot be read or does not fit.
int print_estimates(MemoryJob job, bool json, bool listed = false, const std::vector<std::string>& problems = {});

}  // namespace octavo::cli
