#pragma once

// The commands of the program, one file each. Every `add_…` adds its command, with options, manual and action, to the
// program. The action runs when the command line names the command. It sets `exit_code` if the exit code is not 0, and
// throws octavo::Error or WrongCall if it cannot continue.
//
// A command's file needs this header, its job and options of jobs: the definition of options, manuals, the work on a
// job, the standard streams and messages come from here.

#include <fmt/core.h>
#include <octavo_manuals.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"
#include "cli/complaint.h"
#include "cli/exit_code.h"
#include "cli/options.h"
#include "cli/standard_streams.h"
#include "cli/work.h"
#include "cli/wrong_call.h"

namespace octavo::cli {

/// Adds -h and --help.
void add_help_flag(Command& command);

/// A command that stands for those below it is a wrong call alone: "no job given", if `what` is "job".
void require_command_below(Command& command, const std::string& what);

/// Adds a command below `parent`, with the text of its manual: NAME_txt is manuals/NAME.txt.
Command& add_command(Command& parent, const std::string& name, std::string_view manual);

void add_extract(Command& program, int& exit_code);
void add_describe(Command& program, int& exit_code);
void add_match(Command& program, int& exit_code);
void add_pairs(Command& program, int& exit_code);
void add_align(Command& program, int& exit_code);
void add_colmap(Command& program, int& exit_code);
void add_sfm(Command& program, int& exit_code);
void add_export(Command& program, int& exit_code);
void add_mosaic(Command& program, int& exit_code);
void add_merge(Command& program, int& exit_code);
void add_evaluate(Command& program, int& exit_code);
void add_filter(Command& program, int& exit_code);
void add_inspect(Command& program, int& exit_code);
void add_video(Command& program, int& exit_code);
void add_devices(Command& program, int& exit_code);
void add_selftest(Command& program, int& exit_code);
void add_bench(Command& program, int& exit_code);
void add_completion(Command& program);
void add_help(Command& program);

}  // namespace octavo::cli
