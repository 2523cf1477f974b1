// octavo video report: what an archive has twice, or where clips are in it, as files for people and programs.

#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/standard_streams.h"
#include "cli/video/archive.h"
#include "cli/video/clip.h"
#include "cli/video/video.h"
#include "cli/work.h"
#include "octavo/jobs/archive_jobs.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(report what an archive has twice, or where clips are

Without CLIP, compares the clips of an archive (octavo video index) with each
other, as octavo video duplicates does. With clips, reports where in the archive
they are found, as octavo video search does. Writes a page for a browser, and
tables and timelines for other programs.)";

constexpr auto footer = R"(Page: one file that needs no network. It has the files that are the same, the
pairs of clips on their timelines with frames, speed, transform, score and the
features that agree, and the files with their warnings. Pairs are sorted and
found by name, score, coverage and verdict. Pairs that were judged different or
not of interest are folded. Clips whose disk is absent have no images.

CSV (RFC 4180), a row for each segment, with a header:
  pair, segment           numbers, from 1; pairs are ordered by score
  clip_a, clip_b          their files; of a search, a is the query
  in_a, out_a, in_b, out_b
                          times from the first frame, in seconds
  in_frame_a, out_frame_a, in_frame_b, out_frame_b
                          the same as frames from the first one, 0
  in_time_code_a, out_time_code_a, in_time_code_b, out_time_code_b
                          the same as time codes of the files; without one in
                          the file from 00:00:00:00. Empty without a frame rate
  still                   true: one image that stands; a and b show it for times
                          of their own
  exact_ends, ends_within true: the ends are exact to two frames; how far off
                          they may be, in seconds
  speed                   seconds of b for a second of a; below 0: b runs
                          backwards
  mirrored, negative      true or false
  scale, stretch, degrees, shift_x, shift_y
                          how many times larger (the root of the area), wider
                          than high, turned clockwise and moved the image of a
                          is in b, in pixels of frames that are reduced to 640
                          on the long side
  frame_count, inlier_count, score
                          as of octavo video search
  coverage_a, coverage_b  shares of the clips' lengths within segments
  verdict                 same, different, ignore or empty

JSON: all that the page shows but images
  {"archive": "/archive", "of": "archive", "settings": {...},
   "mirrored": false, "negative": false, "reversed": false,
   "same_coverage": 0.9,
   "clips": [{"clip": "/films/a.mp4", "files": [...], "in_archive": true,
              "problems": [], "facts": {...}}],
   "queries": null, "failed_clips": [{"clip", "size", "problems"}],
   "groups": [{"indices": [0, 2], "file_count": 2, "size": 812345,
               "size_without_largest": 312345}],
   "recurring_segments": [{"clip_count": 5, "places": [...]}],
   "pairs": [{"clip_a": "...", "clip_b": "...", "index_a": 0, "index_b": 2,
              "score": 41.2, "coverage_a": 1.0, "coverage_b": 0.97,
              "verdict": null, "note": null,
              "verdict_call": ["octavo", "video", "verdict", ...],
              "segments": [{"in_a": 0.0, ..., "scale": 1.0,
                            "degrees": 0.0, "in_frame_a": 0, ...,
                            "in_time_code_a": "01:00:00:00", ...}]}]}
Facts are those of octavo video index --json, segments and places those of
octavo video duplicates --json. "indices", "index_a" and "index_b" are those of
"clips". "of" is "search" with clips, and "queries" are then such indices.
"mirrored", "negative" and "reversed" tell what was looked for.

OpenTimelineIO: a timeline with a stack for each clip that has pairs: a track of
the clip, and tracks of the clips that share segments with it, as clips with
source ranges, media references and speeds (LinearTimeWarp). Score, transform
and the rest of a segment is in the metadata "octavo". Pairs that a verdict
settles are left out.

FCPXML 1.8: the same stacks as projects, the other clips in lanes.

EDL: a list for each stack, NAME.edl, with an event for each segment: the reel
is the other clip, the record the clip of the stack. Segments that overlap, and
those after 999, are in further lists, NAME-2.edl and so on. A list counts
frames at one rate: clips of another one are left out, and named.

Examples:
  octavo video report --index archive -o report.html
  octavo video report --index archive --csv pairs.csv --json-output pairs.json
  octavo video report new.mp4 --index archive -o new.html --otio new.otio
  octavo video report new.mp4 --index archive --edl edl --fcpxml new.fcpxml
  octavo video report --index archive -o report.html --max-images 200

Exit codes:
  0  done, whether or not something was found
  1  a clip or its signature in the archive cannot be read, see the error
     stream, the others are in the report; or an EDL leaves out a segment; or
     there is no archive, or a file cannot be written
  2  the call was wrong)";

struct Call {
  std::vector<std::string> clips;
  ReportJob job;
  bool exact_ends = false, rough_ends = false;
};

// Refuses options of what is not done. Without clips only a page shows frames, and exact ends need files too.
void require_effects_of(const Command& command, const Call& call) {
  if (call.job.output.empty()) refuse_if_given(command, "--max-images", "without -o");
  refuse_standard_input(call.clips);
  if (!call.clips.empty()) return refuse_if_given(command, "--exact-ends", "with clips: their ends are exact");
  refuse_if_given(command, "--rough-ends", "without clips: ends are rough");
  refuse_if_given(command, "--negative", "without clips: an archive has no images");
  if (!call.job.output.empty()) return;
  refuse_device_options(command, "without clips and -o");
  if (call.exact_ends) return;
  for (const auto& option : option_table<VideoOptions>().options) {
    refuse_if_given(command, flag_of(option.name), "without clips, -o and --exact-ends");
  }
}

int run(const Command& command, Call& call) {
  require_effects_of(command, call);
  ReportJob& job = call.job;
  job.clips.assign(call.clips.begin(), call.clips.end());
  job.report.exact_ends = call.clips.empty() ? call.exact_ends : !call.rough_ends;
  Work work(Work::Signal::ends_program);
  write_report(job, work.context());
  work.progress().clear();
  std::string text;
  for (const auto& [kind, file] :
       {std::pair("page", &job.output), std::pair("table", &job.csv), std::pair("json", &job.json_output),
        std::pair("timeline", &job.otio), std::pair("fcpxml", &job.fcpxml), std::pair("edl", &job.edl)}) {
    if (!file->empty()) text += fmt::format("{:<12} {}\n", kind, file->string());
  }
  print_whole(text);
  return work.exit_code();
}

}  // namespace

void add_video_report(Command& video, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(video, "report", description, footer);
  command.add_option("CLIP", call->clips, "The clips to search for; none: the archive is compared with itself.");
  add_archive_option(command, call->job.archive, "The folder of the archive.");
  const auto add_output = [&](const std::string& name, std::filesystem::path& file, const std::string& text) {
    command.add_option(name, file, text).type_name("FILE").group("Output options");
  };
  add_output("-o,--output", call->job.output, "Write the page to this file, .html.");
  add_output("--csv", call->job.csv, "Write a table of the segments to this file, .csv.");
  add_output("--json-output", call->job.json_output, "Write JSON to this file, .json, see below.");
  add_output("--otio", call->job.otio, "Write a timeline of OpenTimelineIO to this file, .otio.");
  add_output("--fcpxml", call->job.fcpxml, "Write FCPXML, a project for each timeline, to this file, .fcpxml.");
  add_edl(command, call->job.edl);
  add_options(command, option_table<ReportOptions>(), call->job.report);
  const std::string group = "Report options";
  command
      .add_flag("--exact-ends", call->exact_ends,
                "Without clips: decode the files again for ends that are exact to the frame.")
      .group(group);
  command.add_flag("--rough-ends", call->rough_ends, "With clips: do not decode the files again for exact ends.")
      .group(group);
  add_no_mirror(command, call->job.search).group(group);
  add_negative(command, call->job.negative).group(group);
  add_reversed(command, call->job.search.reversed).group(group);
  add_options(command, option_table<CopyOptions>(), call->job.search.copies);
  add_options(command, option_table<VideoOptions>(), call->job.video,
              {"every", "fps", "size", "stored_luma", "weave", "fast", "range", "black", "white"});
  add_device_options(command, call->job.device);
  command.callback([&command, call, &exit_code] { exit_code = run(command, *call); });
}

}  // namespace octavo::cli
