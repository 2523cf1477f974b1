// octavo video search: where in an archive is this clip?

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
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
#include "cli/video/clip.h"
#include "cli/video/segments.h"
#include "cli/video/video.h"
#include "cli/wrong_call.h"
#include "json/json.h"
#include "octavo/archive_search.h"
#include "octavo/copy_picture.h"
#include "octavo/found_clips_file.h"
#include "octavo/imageio.h"
#include "octavo/output_file.h"
#include "octavo/part_note.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto description = R"(find where in an archive a clip is

Searches an archive (octavo video index) for the clips that show the same as
CLIP, or as a part of it: copies that were cropped, scaled, mirrored, covered in
part, recoded, or run at another speed. Prints each segment that both share:
where it begins and ends in the query and in the clip of the archive, to the
frame; the speed; whether it is mirrored; and how certain it is.)";

constexpr auto footer = R"(Output: the clips that share segments with the query, and the segments
  in query, in clip  times of the first frame, and when the last frame ends
  speed    seconds of the clip for a second of the query
  score    -log10 of the expected number of such segments between two clips that
           share nothing: 3 is one in a thousand pairs of clips
  picture  how many times larger the picture of the clip is
The ends are exact to the frame where both files can be read; with --rough-ends,
and where the file of the archive is gone, has changed since it was indexed or
cannot be read, to the frames of the signatures.

JSON:
  {"query": "part.mp4", "seconds": 10.0,
   "found": [{"file": "/films/a.mp4", "files": ["/films/a.mp4"],
              "clip": {...}, "score": 41.2,
              "query_coverage": 0.98, "clip_coverage": 0.1,
              "segments": [{"query_in": 0.0, "query_out": 9.8,
                            "clip_in": 31.2, "clip_out": 41.0,
                            "speed": 1.0, "mirrored": false,
                            "clip_from_query": [1.0, 0.0, 0.0, 0.0],
                            "frames": 48, "inliers": 5213, "score": 41.2,
                            "exact_ends": true}]}]}
Of several queries the list is an array. Clips are as those of octavo video
index --json. Coverages are the shares of the lengths that lie in segments.
"clip_from_query" is [a, b, tx, ty]: (x, y) of a frame of the query, mirrored
left to right if "mirrored", is at (a x - b y + tx, b x + a y + ty) of the clip,
in pixels of frames that are reduced to 640 on the long side. "frames" of the
query were verified, "inliers" is the number of their features that agree.

Examples:
  octavo video search part.mp4 --index archive
  octavo video search part.mp4 --index archive --json
  octavo video search part.mp4 --index archive --pictures why
  octavo video search *.mp4 --index archive --min-seconds 5
  octavo video search part.mp4 --index films --index series
  octavo video search *.mp4 --index archive --shard 3/8 -o found-3

Exit codes:
  0  done, whether or not something was found
  1  a query, a clip that was found or a signature of the archive cannot be
     read, see the error stream, the others are searched; or there is no archive
  2  the call was wrong)";

struct Call {
  std::vector<std::string> queries;
  std::vector<std::string> folders;
  SearchOptions search;
  SignatureOptions signature = query_signature_options();
  VideoOptions video;
  DeviceOptions device;
  std::string pictures, output;
  std::optional<Shard> shard;
  bool rough_ends = false, no_mirror = false, json = false;
};

// A clip that was found, and whether the ends of its segments are exact to the frame.
struct ShownClip {
  FoundClip found;
  bool are_exact = false;
};

// Segments get exact ends where both files are there. Some turn out to be false; a clip without others is left out.
std::vector<ShownClip> shown(std::vector<FoundClip> found, const std::string& query, double seconds, const Call& call,
                             const std::vector<VideoArchive>& archives, const Complain& complain) {
  std::vector<ShownClip> result;
  for (FoundClip& one : found) {
    ShownSegments exact{one.segments, false};
    if (!call.rough_ends) {
      exact = with_exact_ends(one.segments, query, readable_file(one.clip, archives), call.video, complain);
    }
    if (exact.segments.empty()) continue;
    one.segments = std::move(exact.segments);
    one.query_coverage = coverage(one.segments, seconds, true);
    one.clip_coverage = coverage(one.segments, one.clip.facts.seconds, false);
    one.score = std::ranges::max_element(one.segments, {}, &CopySegment::score)->score;
    result.push_back({std::move(one), exact.are_exact});
  }
  std::ranges::stable_sort(result, std::ranges::greater{}, [](const ShownClip& c) { return c.found.score; });
  return result;
}

Json json_of_query(const std::string& query, double seconds, const std::vector<ShownClip>& found) {
  Json list = Json::array();
  for (const auto& [one, are_exact] : found) {
    Json files = Json::array();
    for (const fs::path& file : one.clip.files) files.push_back(file.string());
    list.push_back({{"file", one.clip.files.front().string()},
                    {"files", files},
                    {"clip", clip_json(one.clip)},
                    {"score", one.score},
                    {"query_coverage", one.query_coverage},
                    {"clip_coverage", one.clip_coverage},
                    {"segments", segments_json({one.segments, are_exact}, "query", "clip")}});
  }
  return {{"query", query}, {"seconds", seconds}, {"found", list}};
}

void print_text(ListOutput& out, const std::string& query, const std::vector<ShownClip>& found) {
  out.print(fmt::format(
      "{}: {}\n", query,
      found.empty() ? "not found" : fmt::format("found in {} {}", found.size(), found.size() == 1 ? "clip" : "clips")));
  for (const auto& [one, are_exact] : found) {
    out.print(fmt::format("  {}  {:.0f} % of the query, {:.0f} % of the clip\n", one.clip.files.front().string(),
                          100 * one.query_coverage, 100 * one.clip_coverage));
    out.print(segments_text({one.segments, are_exact}, "query", "clip"));
  }
}

// What the pictures of a query are called: its name, and a number from 1.
fs::path picture_name(const Call& call, const std::string& query, std::size_t number) {
  return fs::path(call.pictures) / fmt::format("{}-{}.png", name_of_results(query), number);
}

void draw(const Call& call, const std::string& query, const std::vector<ShownClip>& shown,
          const std::vector<VideoArchive>& archives, const Complain& complain) {
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const FoundClip& found = shown[i].found;
    const fs::path file = readable_file(found.clip, archives);
    if (file.empty()) continue;
    const CopySegment& best = *std::ranges::max_element(found.segments, {}, &CopySegment::score);
    Image picture;
    if (!does_read([&] { picture = draw_copy(best, query, file, call.video); }, complain)) continue;
    write_image(picture_name(call, query, i + 1), picture.view());
  }
}

void require_pictures(const Call& call) {
  if (call.pictures.empty()) return;
  std::set<std::string> names;
  for (const std::string& query : call.queries) {
    if (!names.insert(name_of_results(query)).second) {
      throw WrongCall(
          fmt::format("two queries are called '{}', and their pictures would be too", name_of_results(query)));
    }
  }
  require_writable_folder(call.pictures);
  fs::create_directories(call.pictures);
}

// The note of what this call does, without problems.
PartNote note_of(const Call& call, const std::vector<VideoArchive>& archives) {
  const auto options = [](const auto& values) {
    return parse_json(json_of(option_table<std::decay_t<decltype(values)>>(), values));
  };
  Json digests = Json::array();
  for (const VideoArchive& archive : archives) digests.push_back(archive.digest());
  const Json settings{{"copies", options(call.search.copies)}, {"mirrored", !call.no_mirror},
                      {"signature", options(call.signature)},  {"video", options(call.video)},
                      {"rough_ends", call.rough_ends},         {"archives", std::move(digests)}};
  return {.kind = PartKind::found_clips,
          .shard = *call.shard,
          .settings = json_text(settings),
          .inputs = inputs_of(call.queries)};
}

bool is_of_shard(const Call& call, const std::string& query) {
  return !call.shard || has_item(*call.shard, fs::path(query).filename().string());
}

void require_fitting_shard(const Command& command, const Call& call) {
  if (!call.shard) return refuse_if_given(command, "--output", "without --shard");
  if (call.output.empty()) throw WrongCall("--shard needs --output, the file of its part");
  refuse_if_given(command, "--json", "with --shard, whose part is JSON");
  const std::vector<fs::path> written{call.output}, read(call.queries.begin(), call.queries.end());
  require_not_read(written, read);
  require_writable(written);
}

int search(const Command& command, const Call& call) {
  require_pictures(call);
  require_fitting_shard(command, call);
  const std::vector<VideoArchive> archives = open_archives(call.folders);
  Progress progress;
  SearchOptions options = call.search;
  options.mirrored = !call.no_mirror;
  progress.show("opening the archive");
  ListOutput out;
  Json all = Json::array();
  std::vector<FoundText> texts;
  std::set<std::string> problems;  // each once, though a file may be in the answers to many queries
  const Complain add_problem = [&](const std::string& sentence) {
    progress.clear();
    if (problems.insert(sentence).second) complain(sentence);
  };
  const ArchiveSearch archive_search(archives, progress.sink(), lost_to(add_problem));
  std::uint64_t done = 0;
  for (std::size_t i = 0; i < call.queries.size(); ++i) {
    const std::string& name = call.queries[i];
    if (!is_of_shard(call, name)) continue;
    ++done;
    const auto answer = [&] {
      progress.show(name, i, call.queries.size());
      const ClipSignature query = sign_clip(name, call.signature, call.video, call.device, progress.sink());
      const std::vector<ShownClip> found =
          shown(archive_search.find(query, options, progress.sink()), name, query.seconds, call, archives, add_problem);
      if (!call.pictures.empty()) draw(call, name, found, archives, add_problem);
      if (call.shard) {
        texts.push_back({i, json_text(json_of_query(name, query.seconds, found))});
      } else if (call.json) {
        all.push_back(json_of_query(name, query.seconds, found));
      } else {
        progress.clear();
        print_text(out, name, found);
      }
    };
    does_read(answer, add_problem);
  }
  progress.clear();
  if (call.json) out.print(json_text(call.queries.size() == 1 && all.size() == 1 ? all[0] : all) + "\n");
  out.require_whole();
  if (call.shard) {
    PartNote note = note_of(call, archives);
    note.items = done;
    note.problems.assign(problems.begin(), problems.end());
    write_found_clips(call.output, note, texts);
  }
  return problems.empty() ? exit_done : exit_failed;
}

}  // namespace

void add_video_search(Command& video, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(video, "search", description, footer);
  command.add_option("CLIP", call->queries, "The clips to search for.").required();
  add_archives_option(command, call->folders);
  const std::string group = "Search options";
  command.add_flag("--no-mirror", call->no_mirror, "Do not find mirrored copies.").group(group);
  command
      .add_flag("--rough-ends", call->rough_ends,
                "Do not decode the clips again, which gives exact ends and leaves out false segments.")
      .group(group);
  command
      .add_option(
          "--pictures", call->pictures,
          "Write a picture for each clip that is found into this folder, QUERY-1.png and so on: a frame of both "
          "clips, with the features that agree. It is made if it does not exist.")
      .type_name("DIR")
      .group(group);
  add_shard_option(command, call->shard, "the queries, by a hash of their file names,");
  command
      .add_option("-o,--output", call->output,
                  "With --shard: the file of the part. octavo merge makes the JSON of all queries of the parts.")
      .type_name("FILE")
      .group("Shard options");
  add_options(command, option_table<CopyOptions>(), call->search.copies);
  add_options(command, option_table<SignatureOptions>(), call->signature, {"doubled", "words"});
  add_options(command, option_table<VideoOptions>(), call->video,
              {"every", "fps", "size", "stored_luma", "weave", "fast"});
  command.add_flag("--json", call->json, "Print JSON instead of text, see below.");
  add_device_options(command, call->device);
  command.callback([&command, call, &exit_code] {
    require_effects(command, option_table<SignatureOptions>(), call->signature);
    exit_code = search(command, *call);
  });
}

}  // namespace octavo::cli
