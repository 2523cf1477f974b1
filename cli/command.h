#pragma once

// The commands of the program, one file each. Every `define_…`, which octavo_manuals.h declares, gives its command
// options and action. An action throws octavo::Error or WrongCall if it cannot continue.
//
// A command's file needs this header, its job and options of jobs: the definition of options, manuals, the work on a
// job, the standard streams and messages come from here.

#include <fmt/core.h>
#include <octavo_manuals.h>

#include <memory>

#include "cli/command_line.h"
#include "cli/complaint.h"
#include "cli/options.h"
#include "cli/standard_streams.h"
#include "cli/work.h"

namespace octavo::cli {

/// A job, as the command line asks for it.
template <class Job>
struct WithJson : Job {
  bool json = false;
};

}  // namespace octavo::cli
