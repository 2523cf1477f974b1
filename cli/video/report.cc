// octavo video report: what an archive has twice, or where clips are in it, as files for people and programs.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/complaint.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/standard_streams.h"
#include "cli/video/archive.h"
#include "cli/video/video.h"
#include "cli/wrong_call.h"
#include "io/files/output_file.h"
#include "octavo/error.h"
#include "video/report/report_files.h"
#include "video/report/report_images.h"
#include "video/report/video_report.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

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
  exact_ends              true: they are exact to the frame
  speed, mirrored         seconds of b for a second of a; true or false
  scale, degrees, shift_x, shift_y
                          how many times larger, turned clockwise and moved the
                          image of a is in b, in pixels of frames that are
                          reduced to 640 on the long side
  frame_count, inlier_count, score
                          as of octavo video search
  coverage_a, coverage_b  shares of the clips' lengths within segments
  verdict                 same, different, ignore or empty

JSON: all that the page shows but images
  {"archive": "/archive", "of": "archive", "settings": {...},
   "mirrored": false, "same_coverage": 0.9,
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
                            "degrees": 0.0}]}]}
Facts are those of octavo video index --json, segments and places those of
octavo video duplicates --json. "indices", "index_a" and "index_b" are those of
"clips". "of" is "search" with clips, and "queries" are then such indices.

OpenTimelineIO: a timeline with a stack for each clip that has pairs: a track of
the clip, and tracks of the clips that share segments with it, as clips with
source ranges, media references and speeds (LinearTimeWarp). Score, transform
and the rest of a segment is in the metadata "octavo". Pairs that a verdict
settles are left out.

Examples:
  octavo video report --index archive -o report.html
  octavo video report --index archive --csv pairs.csv --json-output pairs.json
  octavo video report new.mp4 --index archive -o new.html --otio new.otio
  octavo video report --index archive -o report.html --max-images 200

Exit codes:
  0  done, whether or not something was found
  1  a clip or its signature in the archive cannot be read, see the error
     stream, the others are in the report; or there is no archive, or a file
     cannot be written
  2  the call was wrong)";

struct Call {
  std::vector<std::string> clips;
  std::string folder, page, csv, json, otio;
  ReportOptions report;
  SearchOptions search;
  VideoOptions video;
  DeviceOptions device;
  bool exact_ends = false, rough_ends = false, no_mirror = false;
};

// An output of the call: its option, the file, and the endings that its name may have.
struct Output {
  std::string_view option;
  const std::string& file;
  std::vector<std::string_view> endings;
};

std::vector<Output> outputs_of(const Call& call) {
  std::vector<Output> outputs;
  for (const Output& one : {Output{"-o", call.page, {".html", ".htm"}}, Output{"--csv", call.csv, {".csv"}},
                            Output{"--json-output", call.json, {".json"}}, Output{"--otio", call.otio, {".otio"}}}) {
    if (!one.file.empty()) outputs.push_back(one);
  }
  return outputs;
}

bool ends_with_one_of(const std::string& file, const std::vector<std::string_view>& endings) {
  std::string ending = fs::path(file).extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::ranges::find(endings, ending) != endings.end();
}

void require_sense(const Call& call) {
  const std::vector<Output> outputs = outputs_of(call);
  if (outputs.empty()) throw WrongCall("no output given: -o, --csv, --json-output or --otio");
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Output& one = outputs[i];
    if (!ends_with_one_of(one.file, one.endings)) {
      throw WrongCall(
          fmt::format("{} is '{}', but its name must end in {}", one.option, one.file, fmt::join(one.endings, " or ")));
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (archive_path(one.file) != archive_path(outputs[k].file)) continue;
      throw WrongCall(fmt::format("{} and {} are the same file, '{}'", outputs[k].option, one.option, one.file));
    }
  }
  for (const std::string& clip : call.clips) {
    if (is_standard_stream(clip)) throw WrongCall("videos are read several times, so - cannot be one");
  }
  if (call.exact_ends && !call.clips.empty()) refuse_without_effect("--exact-ends", "with clips: their ends are exact");
  if (call.rough_ends && call.clips.empty()) refuse_without_effect("--rough-ends", "without clips: ends are rough");
}

// Refuses options of what is not done. Without clips only a page shows frames, and exact ends need files too.
void require_decoding(const Command& command, const Call& call) {
  if (!call.clips.empty() || !call.page.empty()) return;
  refuse_device_options(command, "without clips and -o");
  if (call.exact_ends) return;
  for (const auto& option : option_table<VideoOptions>().options) {
    refuse_if_given(command, flag_of(option.name), "without clips, -o and --exact-ends");
  }
}

// Before the work: the files can be written, and none of them is a clip.
void require_outputs(const Call& call, const VideoArchive& archive) {
  std::vector<fs::path> written, read(call.clips.begin(), call.clips.end());
  for (const Output& one : outputs_of(call)) written.emplace_back(one.file);
  require_writable(written);
  for (const ArchivedFile& file : archive.files()) read.push_back(file.file);
  require_not_read(written, read);
}

VideoReport made_report(const Call& call, const VideoArchive& archive, const ProgressSink& progress) {
  ReportOptions options = call.report;
  SearchOptions search = call.search;
  search.mirrored = !call.no_mirror;
  search.isa = call.device.isa;
  if (call.clips.empty()) {
    options.exact_ends = call.exact_ends;
    return report_duplicates(archive, options, search, call.video, progress);
  }
  options.exact_ends = !call.rough_ends;
  const std::vector<fs::path> queries(call.clips.begin(), call.clips.end());
  return report_search(archive, queries, options, search, query_signature_options(), call.video, call.device, progress);
}

int run(const Call& call) {
  const VideoArchive archive(call.folder);
  require_outputs(call, archive);
  Progress progress;
  progress.show(call.folder);
  const VideoReport report = made_report(call, archive, progress.sink());
  std::string page;
  if (!call.page.empty()) {
    page = page_of(report, report_images(report, archive, call.report, call.video, call.device, progress.sink()));
  }
  progress.clear();
  if (!call.csv.empty()) write_file(call.csv, csv_of(report));
  if (!call.json.empty()) write_file(call.json, json_of(report));
  if (!call.otio.empty()) write_file(call.otio, otio_of(report));
  if (!call.page.empty()) write_file(call.page, page);
  ListOutput out;
  for (const auto& [kind, file] : {std::pair("page", &call.page), std::pair("table", &call.csv),
                                   std::pair("json", &call.json), std::pair("timeline", &call.otio)}) {
    if (!file->empty()) out.print(fmt::format("{:<12} {}\n", kind, *file));
  }
  out.require_whole();
  int exit_code = exit_done;
  for (const ReportFailure& failure : report.failures) {
    // The files that the archive could not take are no failures of this job.
    if (call.clips.empty() && !failure.is_lost) continue;
    complain(failure.reason);
    exit_code = exit_failed;
  }
  return exit_code;
}

}  // namespace

void add_video_report(Command& video, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(video, "report", description, footer);
  command.add_option("CLIP", call->clips, "The clips to search for; none: the archive is compared with itself.");
  add_archive_option(command, call->folder, "The folder of the archive.");
  const auto add_output = [&](const std::string& name, std::string& file, const std::string& text) {
    command.add_option(name, file, text).type_name("FILE").group("Output options");
  };
  add_output("-o,--output", call->page, "Write the page to this file, .html.");
  add_output("--csv", call->csv, "Write a table of the segments to this file, .csv.");
  add_output("--json-output", call->json, "Write JSON to this file, .json, see below.");
  add_output("--otio", call->otio, "Write a timeline of OpenTimelineIO to this file, .otio.");
  add_options(command, option_table<ReportOptions>(), call->report);
  const std::string group = "Report options";
  command
      .add_flag("--exact-ends", call->exact_ends,
                "Without clips: decode the files again for ends that are exact to the frame.")
      .group(group);
  command.add_flag("--rough-ends", call->rough_ends, "With clips: do not decode the files again for exact ends.")
      .group(group);
  command.add_flag("--no-mirror", call->no_mirror, "Do not find mirrored copies.").group(group);
  add_options(command, option_table<CopyOptions>(), call->search.copies);
  add_options(command, option_table<VideoOptions>(), call->video,
              {"every", "fps", "size", "stored_luma", "weave", "fast", "range", "black", "white"});
  add_device_options(command, call->device);
  command.callback([&command, call, &exit_code] {
    if (command.count("--max-images") > 0 && call->page.empty()) refuse_without_effect("--max-images", "without -o");
    require_decoding(command, *call);
    require_sense(*call);
    exit_code = run(*call);
  });
}

}  // namespace octavo::cli
