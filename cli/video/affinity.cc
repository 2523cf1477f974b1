// octavo video affinity: the affinity matrix of two clips, as an image and as data.

#include <array>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/standard_streams.h"
#include "cli/video/clip.h"
#include "cli/video/video.h"
#include "cli/work.h"
#include "cli/wrong_call.h"
#include "octavo/jobs/video_jobs.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(draw how similar the frames of two videos are

Compares each frame of A with each frame of B, and draws the result: A's time
runs down, B's to the right, and bright is similar. A copy shows as a diagonal
whose slope is the speed, a scene that stands still or was taken twice as a
block. The segments that both videos share (octavo video compare) are drawn as
lines: red, and blue if mirrored. Scenes of which most frames are similar have a
thin white frame: blocks. Without B, A is compared with itself.)";

constexpr auto footer = R"(Output:
  -o FILE      the image; its ending chooses the format (.png, .jpg, ...)
  --data FILE  a NumPy archive: affinity (A x B f32), seconds_a, seconds_b, and
               segments (N x 5: from and to in A, from and to in B, mirrored),
               blocks (N x 5: from and to in A, from and to in B, the share of
               similar pairs of frames)
  --json       segments and blocks on the standard output:
  {"clip_a": "a.mp4", "clip_b": "b.mp4", "measure": "matches",
   "min_affinity": 0.0,
   "segments": [{"in_a": 0.0, "out_a": 4.0, "in_b": 2.0, "out_b": 6.0, ...}],
   "blocks": [{"in_a": 0.0, "out_a": 5.0, "in_b": 3.0, "out_b": 9.0,
               "share": 0.93}]}
Times are seconds from the first frames. Segments are as those of octavo video
search --json. The ends of blocks are those of frames that were taken (--fps,
--every); "min_affinity" is the limit from which on their frames are similar.
Brightness is the square root of the share of the greatest value. The time grows
with the product of the lengths.

Examples:
  octavo video affinity rushes1.mov rushes2.mov -o affinity.png
  octavo video affinity a.mp4 b.mp4 -o vlad.png --measure vlad --fps 5
  octavo video affinity film.mp4 -o itself.png --no-segments

Exit codes:
  0  done
  1  a video failed, or the image cannot be written
  2  the call was wrong)";

struct Call {
  std::string a, b;
  AffinityJob job;
  bool no_segments = false, json = false;
};

int run(Call& call) {
  AffinityJob& job = call.job;
  if (call.b.empty()) call.b = call.a;
  refuse_standard_input(std::array{call.a, call.b});
  if (job.image.empty() && job.data.empty() && !call.json) throw WrongCall("no output given: -o, --data or --json");
  job.a = call.a;
  job.b = call.b;
  job.segments = !call.no_segments;
  Work work(Work::Signal::ends_program);
  const ClipAffinity found = find_affinity(job, work.context());
  work.progress().clear();
  if (call.json) print_whole(json_of(job, found) + "\n");
  return work.exit_code();
}

}  // namespace

void add_video_affinity(Command& video, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(video, "affinity", description, footer);
  command.add_option("A", call->a, "The first video, whose time runs down.").required().type_name("FILE");
  command.add_option("B", call->b, "The second video, whose time runs to the right.").type_name("FILE");
  add_options(command, option_table<AffinityOptions>(), call->job.affinity);
  add_options(command, option_table<VideoOptions>(), call->job.video, {"every", "fps", "size", "stored_luma"});
  add_device_options(command, call->job.device);
  const std::string group = "Output options";
  command.add_option("-o,--output", call->job.image, "Write the image to this file.").type_name("FILE").group(group);
  command.add_option("--data", call->job.data, "Write the numbers to this file, .npz.").type_name("FILE").group(group);
  command.add_flag("--json", call->json, "Print JSON on the standard output, see below.").group(group);
  command.add_flag("--no-segments", call->no_segments, "Do not look for segments.").group(group);
  command.callback([call, &exit_code] { exit_code = run(*call); });
}

}  // namespace octavo::cli
