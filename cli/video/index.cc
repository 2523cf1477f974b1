// octavo video index: brings clips into an archive that can be searched.

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/complaint.h"
#include "cli/options.h"
#include "cli/shard.h"
#include "cli/standard_streams.h"
#include "cli/video/archive.h"
#include "cli/video/clip.h"
#include "cli/video/video.h"
#include "cli/work.h"
#include "engine/core/stopwatch.h"
#include "octavo/jobs/archive_jobs.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto description = R"(bring clips into an archive that can be searched

Makes the signature of each clip (features of 2 frames a second, by default) and
keeps it in the folder --index with what is known of the clip. Folders give the
videos in them and in all folders below, with --images the images too, such as
photographs; an image that is named itself is taken without it. A clip that the
archive has is not read again; a file that was moved, renamed or copied is
recognised by its content; a file that changed gets a new signature. A file
that cannot be read is reported, and noted in the archive; the other files are
processed.)";

constexpr auto footer = R"manual(Files of the archive:
  DIR/catalogue.sqlite          an SQLite database: files, clips, settings
  DIR/segments/XX/DIGEST.signature
                                the signature of a clip, which never changes
  DIR/claims                    locks of processes at work

A run can be interrupted or killed at any moment, and the machine may lose
power: the clips that are finished stay, and the same call goes on with the
others. Several processes can work on one archive at a time. The settings of
signatures (and --fast) are those of the first run; later ones need not repeat
them. A file that failed is tried again when it has changed, or with --retry.
With --shard I/N each process does a part of the clips, into an archive of its
own; octavo merge joins them, and DIR/octavo-part-I-of-N.json tells what a part
is.

JSON:
  {"clips": [{"clip": "a.mp4", "outcome": "indexed", "problems": [],
              "facts": {"id": 1, "content": "8c0e...", "size": 8123456,
                        "container": "avi", "codec": "h264", "width": 640,
                        "height": 360, "frame_rate": "25/1",
                        "time_code": "10:00:00:00", "seconds": 60.0,
                        "frame_count": 1500,
                        "decoder": "h264 (libavcodec ...)",
                        "warnings": [{"name": "...", "sentence": "..."}],
                        "signature_digest": "02ac...",
                        "signature_size": 612345, "work_seconds": 1.5}}, ...],
   "summary": {"indexed_count": 1, "recognised_count": 0, "unchanged_count": 0,
               "failed_count": 0, "failed_before_count": 0,
               "clip_seconds": 60.0, "seconds": 1.6, "times_real_time": 37.5}}
Clips are listed as they are finished. The container of an image is "image", its
length 0. Sizes are in bytes. Outcomes are
indexed, recognised (its content was in the archive), unchanged, failed, and
failed before: the file has not changed since. "clip_seconds" is the length of
the clips that were decoded now.

Examples:
  octavo video index a.mp4 b.mov --index archive
  octavo video index /films --index archive
  octavo video index /films /photographs --images --index archive
  octavo video index /films --index archive --retry
  octavo video index rushes/ --index archive --every 5 --max-features 512

Exit codes:
  0  done, perhaps with warnings
  1  at least one file failed, see the error stream; the others are processed.
     Or the archive cannot be written
  2  the call was wrong
  130, 143  the run was interrupted (SIGINT, SIGTERM); the clips that are
     finished stay)manual";

// What the command line asks for.
struct Call {
  std::vector<std::string> places;
  fs::path folder;
  SignatureOptions signature;
  VideoOptions video;
  DeviceOptions device;
  std::size_t jobs = 0;
  bool images = false, retry = false, json = false;
  std::optional<Shard> shard;
};

// Prints what becomes of each file, and the summary.
class Report {
 public:
  explicit Report(bool json) : json_(json) {
    if (json_) out_.print("{\"clips\": [");
  }

  void add(const IndexedClip& result) {
    if (json_) {
      out_.print((summary_.counts.empty() ? "\n" : ",\n") + json_of(result));
    } else if (result.outcome == ClipOutcome::indexed) {
      const ArchivedClip& clip = *result.clip;
      const ClipFacts& facts = clip.facts;
      if (is_image(facts)) {
        out_.print(fmt::format("{}: image, {} {}x{}\n", result.file.string(), facts.codec, facts.width, facts.height));
        return summary_.add(result);
      }
      out_.print(
          fmt::format("{}: {} of {} {}x{}, {:.1f} times real time\n", result.file.string(), clock_text(facts.seconds),
                      facts.codec, facts.width, facts.height,
                      IndexSummary{.clip_seconds = facts.seconds, .seconds = clip.work_seconds}.times_real_time()));
    } else if (result.outcome == ClipOutcome::recognised) {
      out_.print(fmt::format("{}: recognised\n", result.file.string()));
    }
    summary_.add(result);
  }

  void finish(double seconds) {
    summary_.seconds = seconds;
    if (json_) return out_.print("],\n\"summary\": " + json_of(summary_) + "}\n");
    std::string counts;
    for (const auto& [outcome, count] : summary_.counts) counts += fmt::format(", {} {}", count, name_of(outcome));
    if (counts.empty()) return;
    out_.print(counts.substr(2));
    if (summary_.clip_seconds > 0) {
      out_.print(fmt::format("; {} of video in {}, {:.1f} times real time", clock_text(summary_.clip_seconds),
                             clock_text(seconds), summary_.times_real_time()));
    }
    out_.print("\n");
  }

  void require_whole() const { out_.require_whole(); }

 private:
  bool json_;
  ListOutput out_;
  IndexSummary summary_;
};

void show(Progress& progress, const IndexProgress& state) {
  const IndexSummary so_far{.clip_seconds = state.clip_seconds, .seconds = state.elapsed};
  const std::string left = state.left ? fmt::format(", {} left", clock_text(*state.left)) : "";
  progress.show(fmt::format("{} {} of {}: {:.0f} times real time{}", state.file.string(),
                            std::min(state.done + 1, state.files), state.files, so_far.times_real_time(), left),
                static_cast<std::size_t>(100 * state.share), 100);
}

int run(const Command& command, Call& call) {
  validate(call.signature);
  validate(call.video);
  VideoFiles found = find_videos(call.places, call.images);
  if (found.files.empty()) {  // no archive is made for nothing
    for (const std::string& problem : found.problems) complain(problem);
    Report report(call.json);
    report.finish(0);
    report.require_whole();
    return exit_failed;
  }
  const auto is_given = [&](std::string_view option) {
    const CommandOption* const given = command.find_option(flag_of(option));
    return given != nullptr && given->count() > 0;
  };
  VideoArchive archive = open_or_make_archive(call.folder, call.signature, call.video.fast, is_given);
  Work work;
  Report report(call.json);
  ArchiveJob job{.found = std::move(found), .shard = call.shard};
  job.index.jobs = call.jobs > 0 ? call.jobs : std::max(std::thread::hardware_concurrency(), 1u);
  job.index.retry = call.retry;
  job.index.read = clip_reader(call.signature, call.video, call.device);
  job.index.progress = [&](const IndexProgress& state) { show(work.progress(), state); };
  job.index.take = [&](const IndexedClip& result) {
    work.progress().clear();
    report.add(result);
  };
  const Stopwatch since;
  std::exception_ptr failure;
  try {
    fill_archive(archive, job, work.context());
  } catch (const std::exception&) {
    failure = std::current_exception();
  }
  work.progress().clear();
  report.finish(since.milliseconds() / 1000);
  if (failure) std::rethrow_exception(failure);
  work.end_if_interrupted();
  report.require_whole();
  return work.exit_code();
}

}  // namespace

void add_video_index(Command& video, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(video, "index", description, footer);
  command.add_option("CLIP", call->places, "The videos and images, and folders.").required().type_name("FILE");
  add_archive_option(command, call->folder, "The folder of the archive; it is made if it does not exist.");
  constexpr auto group = "Index options";
  add_number(command,
             {.name = "jobs",
              .group = group,
              .sentence = "Decode N clips at a time. 0: as many as the machine has cores.",
              .symbol = "N",
              .low = 0,
              .high = 1024},
             call->jobs);
  command.add_flag("--images", call->images, "Take the images of folders too, to find where clips show them.")
      .group(group);
  command.add_flag("--retry", call->retry, "Try files again that failed before and have not changed.").group(group);
  command.add_flag("--json", call->json, "Print JSON on the standard output, see below.");
  add_shard_option(command, call->shard, "the clips, by a hash of their names,");
  add_options(command, option_table<SignatureOptions>(), call->signature, {"doubled", "words"});
  add_options(command, option_table<VideoOptions>(), call->video,
              {"every", "fps", "size", "stored_luma", "weave", "range", "black", "white"});
  add_device_options(command, call->device);
  command.callback([&command, call, &exit_code] {
    require_effects(command, option_table<SignatureOptions>(), call->signature);
    exit_code = run(command, *call);
  });
}

}  // namespace octavo::cli
