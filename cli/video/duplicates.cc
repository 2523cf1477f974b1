// octavo video duplicates: which clips of an archive show the same?

#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/json_text.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/standard_streams.h"
#include "cli/video/archive.h"
#include "cli/video/segments.h"
#include "cli/video/video.h"
#include "octavo/archive_search.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(find clips of an archive that show the same

Compares the clips of an archive (octavo video index) with each other, without
reading their files again. Prints each pair that shares segments, how much of
each clip lies within them, and the segments. Pairs that a person judged
different or not of interest (octavo video verdict) are left out.)";

constexpr auto footer = R"(Files of equal bytes are one clip of the archive, and not a pair; octavo video
list shows them.

JSON:
  {"pairs": [{"a": {"file": "/films/a.mp4", "clip": {...}},
              "b": {"file": "/films/b.mp4", "clip": {...}},
              "score": 41.2, "a_coverage": 1.0, "b_coverage": 0.1,
              "verdict": null,
              "segments": [{"a_in": 0.0, "a_out": 9.5, "b_in": 31.0,
                            "b_out": 40.5, "speed": 1.0, ...}]}],
   "left_out": 3}
Clips are as those of octavo video index --json, segments as those of octavo
video search --json. Verdicts are null or "same"; with --all also "different"
and "ignore". left_out counts the pairs that a verdict leaves out.

Examples:
  octavo video duplicates --index archive
  octavo video duplicates --index archive --min-seconds 10 --json

Exit codes:
  0  done, whether or not something was found
  1  there is no archive, or it cannot be read
  2  the call was wrong)";

using Json = nlohmann::ordered_json;

struct Call {
  std::string folder;
  SearchOptions search;
  VideoOptions video;
  bool no_mirror = false, exact_ends = false, all = false, json = false;
};

bool is_settled(const ClipPair& pair) { return pair.verdict && pair.verdict->judgement != Judgement::same; }

// A pair, and whether the ends of its segments are exact to the frame.
struct ShownPair {
  ClipPair pair;
  bool are_exact = false;
};

std::vector<ShownPair> shown(std::vector<ClipPair> pairs, const Call& call) {
  std::vector<ShownPair> result;
  for (ClipPair& pair : pairs) {
    ShownSegments exact{pair.segments, false};
    if (call.exact_ends)
      exact = with_exact_ends(pair.segments, readable_file(pair.a), readable_file(pair.b), call.video);
    if (exact.segments.empty()) continue;
    pair.segments = std::move(exact.segments);
    pair.a_coverage = coverage(pair.segments, pair.a.facts.seconds, true);
    pair.b_coverage = coverage(pair.segments, pair.b.facts.seconds, false);
    result.push_back({std::move(pair), exact.are_exact});
  }
  return result;
}

Json side_json(const ArchivedClip& clip) { return {{"file", clip.files.front().string()}, {"clip", clip_json(clip)}}; }

Json pair_json(const ShownPair& shown) {
  const ClipPair& pair = shown.pair;
  return {{"a", side_json(pair.a)},
          {"b", side_json(pair.b)},
          {"score", pair.score},
          {"a_coverage", pair.a_coverage},
          {"b_coverage", pair.b_coverage},
          {"verdict", pair.verdict ? Json(name_of(pair.verdict->judgement)) : Json()},
          {"segments", segments_json({pair.segments, shown.are_exact}, "a", "b")}};
}

std::string pair_text(const ShownPair& shown) {
  const ClipPair& pair = shown.pair;
  const std::string verdict = pair.verdict ? fmt::format("  ({})", name_of(pair.verdict->judgement)) : "";
  return fmt::format("{:3.0f} % of {}\n{:3.0f} % of {}{}\n", 100 * pair.a_coverage, pair.a.files.front().string(),
                     100 * pair.b_coverage, pair.b.files.front().string(), verdict) +
         segments_text({pair.segments, shown.are_exact}, "a", "b");
}

void run(const Call& call) {
  const VideoArchive archive(call.folder);
  Progress progress;
  progress.show(call.folder);
  const ArchiveSearch search(archive, progress.sink());
  SearchOptions options = call.search;
  options.mirrored = !call.no_mirror;
  std::vector<ClipPair> pairs = search.duplicates(options, progress.sink());
  const std::size_t left_out = call.all ? 0 : std::erase_if(pairs, is_settled);
  const std::vector<ShownPair> found = shown(std::move(pairs), call);
  progress.clear();
  ListOutput out;
  if (call.json) {
    Json list = Json::array();
    for (const ShownPair& pair : found) list.push_back(pair_json(pair));
    out.print(json_text(Json{{"pairs", list}, {"left_out", left_out}}) + "\n");
  } else {
    for (const ShownPair& pair : found) out.print(pair_text(pair));
    const std::string without = left_out > 0 ? fmt::format(", {} left out by verdicts", left_out) : "";
    out.print(fmt::format("{} {}{}\n", found.size(), found.size() == 1 ? "pair" : "pairs", without));
  }
  out.require_whole();
}

}  // namespace

void add_video_duplicates(CLI::App& video) {
  const auto call = std::make_shared<Call>();
  CLI::App& command = add_command(video, "duplicates", description, footer);
  add_archive_option(command, call->folder, "The folder of the archive.");
  command.add_flag("--no-mirror", call->no_mirror, "Do not find mirrored copies.");
  command.add_flag("--exact-ends", call->exact_ends,
                   "Decode the clips again for ends that are exact to the frame. This leaves out false segments too.");
  command.add_flag("--all", call->all, "Show pairs too that were judged different or not of interest.");
  add_options(command, option_table<CopyOptions>(), call->search.copies);
  command.add_flag("--json", call->json, "Print JSON instead of text, see below.");
  command.callback([call] { run(*call); });
}

}  // namespace octavo::cli
