// octavo video compare: the segments that two videos share.

#include <fmt/core.h>

#include <array>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/standard_streams.h"
#include "cli/video/archive.h"
#include "cli/video/clip.h"
#include "cli/video/video.h"
#include "cli/work.h"
#include "octavo/jobs/video_jobs.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(find the segments that two videos or images share

Finds parts of A that show the same as parts of B: excerpts, copies that are
coded again, scaled, stretched, cropped, mirrored or framed by bars, images in
images, other frame rates and speeds, and parts that were cut out. Features of
frames are compared, so the sound plays no part. Times count from the first
frame. Both videos are read several times, so they must be files. Takes a time
that grows with the product of the lengths: a few minutes for two clips of ten
minutes. A or B may be an image: then the times are found at which the other one
shows it. Two images share a segment without times if one is a copy.)";

constexpr auto footer = R"(Output: a line for each segment, best first, and the shares that they cover
  in A   in B   times of the first frame, and when the last frame ends
  speed  seconds of B for a second of A
  score  -log10 of the expected number of such segments between two clips that
         share nothing: 3 is one in a thousand pairs of clips

JSON:
  {"clip_a": "a.mp4", "clip_b": "b.mp4", "seconds_a": 30.0,
   "seconds_b": 60.0, "coverage_a": 0.2, "coverage_b": 0.1,
   "segments": [{"in_a": 4.0, "out_a": 10.0, "in_b": 23.36, "out_b": 29.36,
                 "speed": 1.0, "mirrored": false, "negative": false,
                 "similarity": [[1.25, 0.0, -12.0], [0.0, 1.25, 1.0]],
                 "stretch": 1.0, "frame_count": 30, "inlier_count": 2100,
                 "score": 46.1, "still": false, "shaken": false,
                 "exact_ends": true, "ends_within": 0.02,
                 "in_frame_a": 100, "in_time_code_a": "01:00:04:00",
                 ...}, ...]}
"similarity" has the rows of a matrix that maps (x, y, 1) of a frame of A,
mirrored left to right if "mirrored", to B, in pixels of frames that are reduced
to 640 on the long side. "stretch" tells by how much the width of the image
grows more than its height: 1 if it is not stretched. "frame_count" frames of A
were verified, and "inlier_count" of their features agree. "still": both show
one image that stands, each for its own time. "shaken": the image moves from
frame to frame, and the ends are rough. "exact_ends": to two frames;
"ends_within" is how far off the ends may be, in seconds. In an image "in" and
"out" are 0, and "similarity" is that of one frame. Ends are told as
seconds, as frames from the first one, 0, and as time codes of the files
("in_frame_a", "out_time_code_b" and so on). Time codes of a file without one
count from 00:00:00:00; without a frame rate both are null.

Examples:
  octavo video compare copy.mp4 original.mp4
  octavo video compare copy.mp4 original.mp4 --image why.png
  octavo video compare a.mkv b.avi --json --min-seconds 5

Exit codes:
  0  done, whether or not there are such segments
  1  a video failed, see the error stream
  2  the call was wrong)";

struct Call {
  std::string a, b;
  CompareJob job;
  bool json = false;
};

std::string as_text(const Call& call, const ClipComparison& found) {
  if (found.segments.empty()) return fmt::format("{} and {} share no segment\n", call.a, call.b);
  return segments_text(found.segments, "A", "B") +
         fmt::format("{:.0f} % of {} is in {}; {:.0f} % of {} is in {}\n",
                     100 * coverage(found.segments, found.query_seconds, true), call.a, call.b,
                     100 * coverage(found.segments, found.other_seconds, false), call.b, call.a);
}

int run(Call& call) {
  refuse_standard_input(std::array{call.a, call.b});
  call.job.a = call.a;
  call.job.b = call.b;
  Work work(Work::Signal::ends_program);
  const ClipComparison found = compare(call.job, work.context());
  work.progress().clear();
  print_whole(call.json ? json_of(call.job, found) + "\n" : as_text(call, found));
  return work.exit_code();
}

}  // namespace

void add_video_compare(Command& video, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(video, "compare", description, footer);
  command.add_option("A", call->a, "The video whose parts are looked for.").required().type_name("FILE");
  command.add_option("B", call->b, "The video in which they are looked for.").required().type_name("FILE");
  add_options(command, option_table<CopyOptions>(), call->job.copy);
  add_negative(command, call->job.further.negative).group("Segment options");
  add_reversed(command, call->job.further.reversed).group("Segment options");
  add_options(command, option_table<VideoOptions>(), call->job.video, {"every", "fps", "size", "stored_luma"});
  add_device_options(command, call->job.device);
  const std::string group = "Output options";
  command
      .add_option("--image", call->job.image,
                  "Write an image of the best segment to this file: a frame of both videos, with the features that "
                  "agree. Its ending chooses the format (.png, .jpg, ...). Without a segment there is none.")
      .type_name("FILE")
      .group(group);
  command.add_flag("--json", call->json, "Print JSON on the standard output, see below.").group(group);
  command.callback([call, &exit_code] { exit_code = run(*call); });
}

}  // namespace octavo::cli
