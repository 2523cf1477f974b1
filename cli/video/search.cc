// octavo video search: where in an archive is this clip?

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <memory>
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

namespace octavo::cli {
namespace {

constexpr auto description = R"(find where in an archive a clip or image is

Searches an archive (octavo video index) for the clips that show the same as
CLIP, or as a part of it: copies that were cropped, scaled, stretched, mirrored,
covered in part, recoded, or run at another speed. Prints each segment that both
share: where it begins and ends in the query and in the clip of the archive, to
the frame; the speed; whether it is mirrored; and how certain it is. CLIP may be
an image, such as a photograph: then the times are found at which clips show it,
also for less than --min-seconds. A folder gives all its clips and images.)";

constexpr auto footer = R"(Output: the clips that share segments with the query, and the segments
  in query, in clip  times of the first frame, and when the last frame ends
  speed    seconds of the clip for a second of the query
  score    -log10 of the expected number of such segments between two clips that
           share nothing: 3 is one in a thousand pairs of clips
  image  how many times larger the image of the clip is
The ends are exact to the frame where both files can be read; with --rough-ends,
and where the file of the archive is gone, has changed since it was indexed or
cannot be read, to the frames of the signatures.

JSON:
  {"query": "part.mp4", "seconds": 10.0,
   "found_clips": [{"clip": "/films/a.mp4", "files": ["/films/a.mp4"],
                    "facts": {...}, "score": 41.2,
                    "coverage_query": 0.98, "coverage_clip": 0.1,
                    "segments": [{"in_query": 0.0, "out_query": 9.8,
                                  "in_clip": 31.2, "out_clip": 41.0, ...,
                                  "in_frame_clip": 780, ...}]}]}
Of several queries the list is an array. Facts are as those of octavo video
index --json. Coverages are the shares of the lengths that lie in segments. The
rest of a segment is as that of octavo video compare --json, where the query is
A, and the clip B.

Examples:
  octavo video search part.mp4 --index archive
  octavo video search part.mp4 --index archive --json
  octavo video search part.mp4 --index archive --images why
  octavo video search photo.jpg --index archive
  octavo video search *.mp4 --index archive --min-seconds 5
  octavo video search part.mp4 --index films --index series
  octavo video search *.mp4 --index archive --shard 3/8 -o found-3

Exit codes:
  0  done, whether or not something was found
  1  a query, a clip that was found or a signature of the archive cannot be
     read, see the error stream, the others are searched; or there is no archive
  2  the call was wrong)";

struct Call {
  std::vector<std::string> queries, folders;
  SearchJob job;
  bool json = false;
};

void print_text(ListOutput& out, const SearchedClip& searched) {
  const std::size_t count = searched.found.size();
  out.print(
      fmt::format("{}: {}\n", searched.query.string(),
                  count == 0 ? "not found" : fmt::format("found in {} {}", count, count == 1 ? "clip" : "clips")));
  for (const FoundClip& one : searched.found) {
    out.print(fmt::format("  {}  {:.0f} % of the query, {:.0f} % of the clip\n", one.clip.files.front().string(),
                          100 * one.query_coverage, 100 * one.clip_coverage));
    out.print(segments_text(one.segments, "query", "clip"));
  }
}

void require_fitting_shard(const Command& command, const Call& call) {
  if (!call.job.shard) return refuse_if_given(command, "--output", "without --shard");
  if (call.job.output.empty()) throw WrongCall("--shard needs --output, the file of its part");
  refuse_if_given(command, "--json", "with --shard, whose part is JSON");
}

int search(const Command& command, Call& call) {
  VideoFiles found = find_videos(call.queries, true);
  call.job.queries = std::move(found.files);
  require_fitting_shard(command, call);
  const std::vector<VideoArchive> archives = open_archives(call.folders);
  call.job.archives = archives;
  Work work(Work::Signal::ends_program);
  for (const std::string& problem : found.problems) report_failure(work.context(), problem);
  ListOutput out;
  std::vector<std::string> all;
  call.job.take = [&](const SearchedClip& searched) {
    if (call.json) {
      all.push_back(json_of(searched));
    } else if (!call.job.shard) {
      work.progress().clear();
      print_text(out, searched);
    }
  };
  search_clips(call.job, work.context());
  work.progress().clear();
  const bool is_one = call.job.queries.size() == 1 && all.size() == 1;
  if (call.json) out.print(is_one ? all.front() + "\n" : fmt::format("[{}]\n", fmt::join(all, ",")));
  out.require_whole();
  return work.exit_code();
}

}  // namespace

void add_video_search(Command& video, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(video, "search", description, footer);
  command.add_option("CLIP", call->queries, "The clips and images to search for, and folders of them.").required();
  add_archives_option(command, call->folders);
  const std::string group = "Search options";
  add_no_mirror(command, call->job.search).group(group);
  add_negative(command, call->job.negative).group(group);
  add_reversed(command, call->job.search.reversed).group(group);
  command
      .add_flag("--rough-ends", call->job.rough_ends,
                "Do not decode the clips again, which gives exact ends and leaves out false segments.")
      .group(group);
  command
      .add_option("--images", call->job.images,
                  "Write an image for each clip that is found into this folder, QUERY-1.png and so on: a frame of both "
                  "clips, with the features that agree. It is made if it does not exist.")
      .type_name("DIR")
      .group(group);
  add_shard_option(command, call->job.shard, "the queries, by a hash of their file names,");
  command
      .add_option("-o,--output", call->job.output,
                  "With --shard: the file of the part. octavo merge makes the JSON of all queries of the parts.")
      .type_name("FILE")
      .group("Shard options");
  add_options(command, option_table<CopyOptions>(), call->job.search.copies);
  add_options(command, option_table<SignatureOptions>(), call->job.signature, {"doubled", "words"});
  add_options(command, option_table<VideoOptions>(), call->job.video,
              {"every", "fps", "size", "stored_luma", "weave", "fast", "range", "black", "white"});
  command.add_flag("--json", call->json, "Print JSON instead of text, see below.");
  add_device_options(command, call->job.device);
  command.callback([&command, call, &exit_code] {
    require_effects(command, option_table<SignatureOptions>(), call->job.signature);
    exit_code = search(command, *call);
  });
}

}  // namespace octavo::cli
