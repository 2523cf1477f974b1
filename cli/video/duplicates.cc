// octavo video duplicates: which clips of an archive show the same?

#include <fmt/core.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/shard.h"
#include "cli/standard_streams.h"
#include "cli/video/archive.h"
#include "cli/video/video.h"
#include "cli/work.h"
#include "cli/wrong_call.h"
#include "octavo/jobs/archive_jobs.h"
#include "video/frames/contact_sheet.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(find clips of an archive that show the same

Compares the clips of an archive (octavo video index) with each other, without
reading their files again. Prints each pair that shares segments, how much of
each clip lies within them, and the segments. Pairs that a person judged
different or not of interest (octavo video verdict) are left out. Segments that
recur in many clips (intros, jingles, credits) are listed once, and do not count
for pairs.)";

constexpr auto footer = R"(Files of equal bytes are one clip of the archive, and not a pair; octavo video
list shows them.

JSON:
  {"pairs": [{"clip_a": "/films/a.mp4", "clip_b": "/films/b.mp4",
              "facts_a": {...}, "facts_b": {...},
              "score": 41.2, "coverage_a": 1.0, "coverage_b": 0.1,
              "verdict": null,
              "segments": [{"in_a": 0.0, "out_a": 9.5, "in_b": 31.0,
                            "out_b": 40.5, "speed": 1.0, ...,
                            "in_frame_a": 0, ...,
                            "recurring_index": null}]}],
   "left_out_count": 3,
   "recurring_segments": [{"clip_count": 7, "places": [
     {"clip": "/films/a.mp4", "content": "...", "in": 0.0, "out": 5.5}, ...]}],
   "recurring_pair_count": 21}
Facts are as those of octavo video index --json, segments as those of octavo
video compare --json. Verdicts are null or "same"; with --all also "different"
and "ignore". left_out_count counts the pairs that a verdict leaves out.
"recurring_index" of a segment is its index in "recurring_segments". Coverages
and scores do not count recurring segments. recurring_pair_count counts the
pairs that share nothing else, which are not in "pairs".

Examples:
  octavo video duplicates --index archive
  octavo video duplicates --index archive --min-seconds 10 --json
  octavo video duplicates --index archive --recurring 10
  octavo video duplicates --index archive --shard 3/8 -o part-3
  octavo merge pairs part-*
  octavo video duplicates --index archive --found pairs

Exit codes:
  0  done, whether or not something was found
  1  there is no archive, or it cannot be read; or a signature cannot be read,
     see the error stream, the other clips are compared; or --exact-ends cannot
     read a clip: its ends are those of the signatures
  2  the call was wrong)";

struct Call {
  std::vector<std::string> folders;
  DuplicatesJob job;
  std::optional<Shard> shard;
  std::string output;
  bool json = false;
};

std::string pair_text(const ClipPair& pair) {
  const std::string verdict = pair.verdict ? fmt::format("  ({})", name_of(pair.verdict->judgement)) : "";
  return fmt::format("{:3.0f} % of {}\n{:3.0f} % of {}{}\n", 100 * pair.a_coverage, pair.a.files.front().string(),
                     100 * pair.b_coverage, pair.b.files.front().string(), verdict) +
         segments_text(pair.segments, "a", "b");
}

std::string recurring_text(const RecurringSegment& recurring) {
  std::string text = fmt::format("recurring in {} clips\n", recurring.clips);
  for (const RecurringPlace& place : recurring.places) {
    text +=
        fmt::format("  {} - {}  {}\n", time_text(place.in), time_text(place.out), place.clip.files.front().string());
  }
  return text;
}

void require_fitting_options(const Command& command, const Call& call) {
  if (call.shard) {
    if (call.output.empty()) throw WrongCall("--shard needs --output, the file of its part");
    for (const char* flag : {"--found", "--exact-ends", "--all", "--json"})
      refuse_if_given(command, flag, "with --shard");
    for (const auto& option : option_table<RecurringOptions>().options) {
      refuse_if_given(command, flag_of(option.name), "with --shard");
    }
    return;
  }
  refuse_if_given(command, "--output", "without --shard");
  if (call.job.found.empty()) return;
  for (const char* flag : {"--no-mirror", "--reversed", "--isa"}) refuse_if_given(command, flag, "with --found");
  for (const auto& option : option_table<CopyOptions>().options) {
    refuse_if_given(command, flag_of(option.name), "with --found");
  }
}

std::string as_text(const Duplicates& found) {
  std::string text;
  for (const RecurringSegment& recurring : found.recurring) text += recurring_text(recurring);
  for (const ClipPair& pair : found.pairs) text += pair_text(pair);
  const std::string without = found.left_out > 0 ? fmt::format(", {} left out by verdicts", found.left_out) : "";
  const std::string collapsed =
      found.recurring_pairs > 0 ? fmt::format(", {} that share recurring segments alone", found.recurring_pairs) : "";
  const std::size_t count = found.pairs.size();
  return text + fmt::format("{} {}{}{}\n", count, count == 1 ? "pair" : "pairs", without, collapsed);
}

int run(const Command& command, Call& call) {
  require_fitting_options(command, call);
  const std::vector<VideoArchive> archives = open_archives(call.folders);
  call.job.archives = archives;
  Work work(Work::Signal::ends_program);
  if (call.shard) {
    write_duplicates_shard(call.output, call.job, *call.shard, work.context());
    return work.exit_code();
  }
  const Duplicates found = find_duplicates(call.job, work.context());
  work.progress().clear();
  print_whole(call.json ? json_of(found) + "\n" : as_text(found));
  return work.exit_code();
}

}  // namespace

void add_video_duplicates(Command& video, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(video, "duplicates", description, footer);
  add_archives_option(command, call->folders);
  add_no_mirror(command, call->job.search);
  add_reversed(command, call->job.search.reversed);
  command.add_flag("--exact-ends", call->job.exact_ends,
                   "Decode the clips again for ends that are exact to the frame. This leaves out false segments too.");
  command.add_flag("--all", call->job.all, "Show pairs too that were judged different or not of interest.");
  add_options(command, option_table<CopyOptions>(), call->job.search.copies);
  add_options(command, option_table<RecurringOptions>(), call->job.recurring);
  std::string& isa = call->job.search.isa;
  add_option(command, *option_table<DeviceOptions>().find("isa"), isa,
             [&isa](const OptionValue& value) { isa = std::get<std::string>(value); });
  command.add_flag("--json", call->json, "Print JSON instead of text, see below.");
  add_shard_option(command, call->shard, "the pairs, by a hash of the content of their first clip,");
  command.add_option("-o,--output", call->output, "With --shard: the file of the part.")
      .type_name("FILE")
      .group("Shard options");
  command
      .add_option("--found", call->job.found,
                  "Show the pairs of this file, which octavo merge has made of the parts of all shards, in place of "
                  "comparing clips.")
      .type_name("FILE")
      .group("Shard options");
  command.callback([&command, call, &exit_code] { exit_code = run(command, *call); });
}

}  // namespace octavo::cli
