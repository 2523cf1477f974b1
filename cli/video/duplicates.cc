// octavo video duplicates: which clips of an archive show the same?

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/complaint.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/shard.h"
#include "cli/standard_streams.h"
#include "cli/video/archive.h"
#include "cli/video/segments.h"
#include "cli/video/video.h"
#include "cli/wrong_call.h"
#include "json/json.h"
#include "octavo/archive_search.h"
#include "octavo/clip_pairs_file.h"
#include "octavo/contact_sheet.h"
#include "octavo/output_file.h"
#include "octavo/part_note.h"
#include "octavo/recurring.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(find clips of an archive that show the same

Compares the clips of an archive (octavo video index) with each other, without
reading their files again. Prints each pair that shares segments, how much of
each clip lies within them, and the segments. Pairs that a person judged
different or not of interest (octavo video verdict) are left out. Parts that
recur in many clips (intros, jingles, credits) are listed once, and do not count
for pairs.)";

constexpr auto footer = R"(Files of equal bytes are one clip of the archive, and not a pair; octavo video
list shows them.

JSON:
  {"pairs": [{"a": {"file": "/films/a.mp4", "clip": {...}},
              "b": {"file": "/films/b.mp4", "clip": {...}},
              "score": 41.2, "a_coverage": 1.0, "b_coverage": 0.1,
              "verdict": null,
              "segments": [{"a_in": 0.0, "a_out": 9.5, "b_in": 31.0,
                            "b_out": 40.5, "speed": 1.0, ...,
                            "recurring": null}]}],
   "left_out": 3,
   "recurring": [{"clips": 7, "places": [
     {"file": "/films/a.mp4", "content": "...", "in": 0.0, "out": 5.5}, ...]}],
   "recurring_pairs": 21}
Clips are as those of octavo video index --json, segments as those of octavo
video search --json. Verdicts are null or "same"; with --all also "different"
and "ignore". left_out counts the pairs that a verdict leaves out. "recurring"
of a segment is the place of its part in the list of that name. Coverages and
scores do not count recurring parts. recurring_pairs counts the pairs that share
nothing else, which are not in "pairs".

Examples:
  octavo video duplicates --index archive
  octavo video duplicates --index archive --min-seconds 10 --json
  octavo video duplicates --index archive --recurring 10
  octavo video duplicates --index archive --shard 3/8 -o part-3
  octavo merge pairs part-*
  octavo video duplicates --index archive --pairs pairs

Exit codes:
  0  done, whether or not something was found
  1  there is no archive, or it cannot be read; or a signature cannot be read,
     see the error stream, the other clips are compared; or --exact-ends cannot
     read a clip: its ends are those of the signatures
  2  the call was wrong)";

struct Call {
  std::vector<std::string> folders;
  SearchOptions search;
  RecurringOptions recurring;
  VideoOptions video;
  std::optional<Shard> shard;
  std::string output, pairs;
  bool no_mirror = false, exact_ends = false, all = false, json = false;
};

bool is_settled(const ClipPair& pair) { return pair.verdict && pair.verdict->judgement != Judgement::same; }

// Decodes the clips of pairs that are shown, where the files are there. Pairs of which all segments turn out to be
// false are left out.
void find_exact_ends(std::vector<ClipPair>& pairs, const Call& call, const std::vector<VideoArchive>& archives,
                     const Complain& complain) {
  for (ClipPair& pair : pairs) {
    if (!call.all && is_settled(pair)) continue;
    ShownSegments exact = with_exact_ends(pair.segments, readable_file(pair.a, archives),
                                          readable_file(pair.b, archives), call.video, complain);
    pair.segments = std::move(exact.segments);
    pair.exact_ends = exact.are_exact;
  }
  std::erase_if(pairs, [](const ClipPair& pair) { return pair.segments.empty(); });
}

Json side_json(const ArchivedClip& clip) { return {{"file", clip.files.front().string()}, {"clip", clip_json(clip)}}; }

// Whether the pair shares recurring parts alone.
bool only_recurs(const ClipPair& pair) {
  return std::ranges::none_of(pair.recurring, [](int part) { return part < 0; });
}

Json pair_json(const ClipPair& pair) {
  Json segments = segments_json({pair.segments, pair.exact_ends}, "a", "b");
  for (std::size_t s = 0; s < pair.recurring.size(); ++s) {
    segments[s]["recurring"] = pair.recurring[s] < 0 ? Json() : Json(pair.recurring[s]);
  }
  return {{"a", side_json(pair.a)},
          {"b", side_json(pair.b)},
          {"score", pair.score},
          {"a_coverage", pair.a_coverage},
          {"b_coverage", pair.b_coverage},
          {"verdict", pair.verdict ? Json(name_of(pair.verdict->judgement)) : Json()},
          {"segments", std::move(segments)}};
}

std::string pair_text(const ClipPair& pair) {
  const std::string verdict = pair.verdict ? fmt::format("  ({})", name_of(pair.verdict->judgement)) : "";
  return fmt::format("{:3.0f} % of {}\n{:3.0f} % of {}{}\n", 100 * pair.a_coverage, pair.a.files.front().string(),
                     100 * pair.b_coverage, pair.b.files.front().string(), verdict) +
         segments_text({pair.segments, pair.exact_ends}, "a", "b");
}

Json recurring_json(const RecurringPart& part) {
  Json places = Json::array();
  for (const RecurringPlace& place : part.places) {
    places.push_back({{"file", place.clip.files.front().string()},
                      {"content", place.clip.content},
                      {"in", place.in},
                      {"out", place.out}});
  }
  return {{"clips", part.clips}, {"places", std::move(places)}};
}

std::string recurring_text(const RecurringPart& part) {
  std::string text = fmt::format("recurring in {} clips\n", part.clips);
  for (const RecurringPlace& place : part.places) {
    text +=
        fmt::format("  {} - {}  {}\n", time_text(place.in), time_text(place.out), place.clip.files.front().string());
  }
  return text;
}

void require_fitting_options(const Command& command, const Call& call) {
  if (call.shard) {
    if (call.output.empty()) throw WrongCall("--shard needs --output, the file of its part");
    for (const char* flag : {"--pairs", "--exact-ends", "--all", "--json"})
      refuse_if_given(command, flag, "with --shard");
    for (const auto& option : option_table<RecurringOptions>().options) {
      refuse_if_given(command, flag_of(option.name), "with --shard");
    }
    require_writable(std::vector<std::filesystem::path>{call.output});
    return;
  }
  refuse_if_given(command, "--output", "without --shard");
  if (call.pairs.empty()) return;
  refuse_if_given(command, "--no-mirror", "with --pairs");
  for (const auto& option : option_table<CopyOptions>().options) {
    refuse_if_given(command, flag_of(option.name), "with --pairs");
  }
}

// Compares the clips of the shard, or all.
std::vector<ClipPair> compared(const Call& call, const std::vector<VideoArchive>& archives, Progress& progress,
                               const Complain& complain) {
  progress.show(call.folders.front());
  const ArchiveSearch search(archives, progress.sink(), lost_to(complain));
  SearchOptions options = call.search;
  options.mirrored = !call.no_mirror;
  return search.duplicates(options, progress.sink(), call.shard.value_or(Shard{}));
}

void write_part(const Call& call, const std::vector<VideoArchive>& archives, Progress& progress,
                const std::set<std::string>& problems, const Complain& complain) {
  Json digests = Json::array();
  for (const VideoArchive& archive : archives) digests.push_back(archive.digest());
  const Json settings{{"copies", parse_json(json_of(option_table<CopyOptions>(), call.search.copies))},
                      {"mirrored", !call.no_mirror},
                      {"archives", std::move(digests)}};
  PartNote note{.kind = PartKind::clip_pairs,
                .shard = *call.shard,
                .settings = json_text(settings),
                .inputs = inputs_of(archives)};
  std::set<std::string> contents;
  for (const VideoArchive& archive : archives) {
    for (const ArchivedClip& clip : archive.clips()) {
      if (has_item(*call.shard, clip.content)) contents.insert(clip.content);
    }
  }
  note.items = contents.size();
  const std::vector<ClipPair> pairs = compared(call, archives, progress, complain);
  note.problems.assign(problems.begin(), problems.end());
  write_clip_pairs(call.output, note, pairs);
}

int run(const Command& command, const Call& call) {
  require_fitting_options(command, call);
  const std::vector<VideoArchive> archives = open_archives(call.folders);
  Progress progress;
  std::set<std::string> problems;  // each once, though a file may be in many pairs
  const Complain add_problem = [&](const std::string& sentence) {
    progress.clear();
    if (problems.insert(sentence).second) complain(sentence);
  };
  if (call.shard) {
    write_part(call, archives, progress, problems, add_problem);
    return problems.empty() ? exit_done : exit_failed;
  }
  std::vector<ClipPair> pairs =
      call.pairs.empty() ? compared(call, archives, progress, add_problem) : read_clip_pairs(call.pairs, archives);
  if (call.exact_ends) find_exact_ends(pairs, call, archives, add_problem);
  const std::vector<RecurringPart> recurring = take_out_recurring(pairs, call.recurring);
  const std::size_t recurring_pairs = std::erase_if(pairs, only_recurs);
  const std::size_t left_out = call.all ? 0 : std::erase_if(pairs, is_settled);
  progress.clear();
  ListOutput out;
  if (call.json) {
    Json list = Json::array();
    for (const ClipPair& pair : pairs) list.push_back(pair_json(pair));
    Json parts = Json::array();
    for (const RecurringPart& part : recurring) parts.push_back(recurring_json(part));
    const Json all{{"pairs", list}, {"left_out", left_out}, {"recurring", parts}, {"recurring_pairs", recurring_pairs}};
    out.print(json_text(all) + "\n");
  } else {
    for (const RecurringPart& part : recurring) out.print(recurring_text(part));
    for (const ClipPair& pair : pairs) out.print(pair_text(pair));
    const std::string without = left_out > 0 ? fmt::format(", {} left out by verdicts", left_out) : "";
    const std::string collapsed =
        recurring_pairs > 0 ? fmt::format(", {} that share recurring parts alone", recurring_pairs) : "";
    out.print(fmt::format("{} {}{}{}\n", pairs.size(), pairs.size() == 1 ? "pair" : "pairs", without, collapsed));
  }
  out.require_whole();
  return problems.empty() ? exit_done : exit_failed;
}

}  // namespace

void add_video_duplicates(Command& video, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(video, "duplicates", description, footer);
  add_archives_option(command, call->folders);
  command.add_flag("--no-mirror", call->no_mirror, "Do not find mirrored copies.");
  command.add_flag("--exact-ends", call->exact_ends,
                   "Decode the clips again for ends that are exact to the frame. This leaves out false segments too.");
  command.add_flag("--all", call->all, "Show pairs too that were judged different or not of interest.");
  add_options(command, option_table<CopyOptions>(), call->search.copies);
  add_options(command, option_table<RecurringOptions>(), call->recurring);
  command.add_flag("--json", call->json, "Print JSON instead of text, see below.");
  add_shard_option(command, call->shard, "the pairs, by a hash of the content of their first clip,");
  command.add_option("-o,--output", call->output, "With --shard: the file of the part.")
      .type_name("FILE")
      .group("Shard options");
  command
      .add_option("--pairs", call->pairs,
                  "Show the pairs of this file, which octavo merge has made of the parts of all shards, in place of "
                  "comparing clips.")
      .type_name("FILE")
      .group("Shard options");
  command.callback([&command, call, &exit_code] { exit_code = run(command, *call); });
}

}  // namespace octavo::cli
