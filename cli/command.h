#pragma once

// The commands of the program, one file each. Every `define_…` gives its command options and action. An action throws
// octavo::Error or WrongCall if it cannot continue.
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
#include "cli/options.h"
#include "cli/standard_streams.h"
#include "cli/work.h"

namespace octavo::cli {

/// A command that stands for those below it is a wrong call alone: "no job given", if `what` is "job".
void require_command_below(Command& command, const std::string& what);

void define_extract(Command& command);
void define_describe(Command& command);
void define_match(Command& command);
void define_pairs(Command& command);
void define_align(Command& command);
void define_colmap(Command& command);
void define_sfm(Command& command);
void define_export(Command& command);
void define_mosaic(Command& command);
void define_evaluate(Command& command);
void define_filter(Command& command);
void define_inspect(Command& command);
void define_video(Command& command);
void define_merge(Command& command);
void define_devices(Command& command);
void define_selftest(Command& command);
void define_bench(Command& command);
void define_completion(Command& command);
void define_help(Command& command);

void define_video_frames(Command& command);
void define_video_compare(Command& command);
void define_video_affinity(Command& command);
void define_video_keypoints(Command& command);
void define_video_index(Command& command);
void define_video_search(Command& command);
void define_video_duplicates(Command& command);
void define_video_takes(Command& command);
void define_video_places(Command& command);
void define_video_verdict(Command& command);
void define_video_report(Command& command);
void define_video_review(Command& command);
void define_video_list(Command& command);
void define_video_forget(Command& command);

}  // namespace octavo::cli
