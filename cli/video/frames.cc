// octavo video frames: takes frames out of videos, as images, as a list, and as a contact sheet.

#include <fmt/core.h>

#include <memory>
#include <string>
#include <string_view>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/standard_streams.h"
#include "cli/video/clip.h"
#include "cli/video/video.h"
#include "cli/work.h"
#include "octavo/jobs/video_jobs.h"
#include "octavo/video/video_file.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(take frames out of videos

Decodes each video from its beginning to its end, and takes --fps frames a
second or every --every-th frame. Frames are shown as players show them: turned,
and with square pixels. They are then reduced to --size. Writes an image of
each frame (--output), a list (--json) or a contact sheet. Without these it
prints a line for each video. Any format that the installed FFmpeg libraries
decode can be read. A video that cannot be read is reported, and the other
videos are processed. "-" is the standard input.)";

constexpr auto footer = R"(Output files:
  DIR/NAME_0000150_6.000s.png   frame 150, at 6 seconds; NAME is the file name
                                of the video with its ending

JSON:
  {"clip": "a.mp4", "container": "mov,mp4,m4a,3gp,3g2,mj2", "codec": "h264",
   "pixel_format": "yuv420p", "width": 1920, "height": 1080,
   "pixel_aspect": "1:1", "rotation": 90, "mirrored": false,
   "matrix": "bt709", "matrix_assumed": true, "range": "limited",
   "time_base": "1/12800", "start_ticks": 0, "frame_rate": "25/1",
   "time_code": "01:00:00:00", "declared_frame_count": 250,
   "declared_seconds": 10.0,
   "frames": [{"index": 0, "ticks": 0, "seconds": 0.0, "duration_ticks": 512,
               "key": true, "interlaced": false, "damaged": false,
               "time_is_guessed": false, "stored_width": 1920,
               "stored_height": 1080, "width": 360, "height": 640,
               "junk": "none", "active": [0, 80, 360, 480], "repeats": false,
               "file": "frames/a.mp4_0000000_0.000s.png"}, ...],
   "runs": [{"first": 75, "last": 125, "frame_count": 5,
             "in": 3.0, "out": 5.5}],
   "decoded_frame_count": 250, "warnings": [{"name": "truncated",
   "sentence": "..."}], "problems": []}
One video gives this object, several videos give an array of such objects. A
video that cannot be opened gives none. "problems" says why a video could not be
read to its end. The time of a frame is ticks x time_base seconds, exactly; it
need not begin at 0. "junk" is none, black, flat, title (bright text on a plain
dark ground, such as credits) or bars (colour bars). "active" is the image
between black bars: x, y, width, height. "repeats" says that a frame shows what
the frame before shows. A run is a row of such frames, with the first one; it
ends when another frame comes.
"interlaced" frames have two fields, of which the first is taken (see --weave).
"black" and "white" are the values of samples of more than 8 bits that become
black and white, one pair for the clip; without them, those of the format.
Names of warnings: damaged, truncated, size, time, aspect, rotation, matrix,
range.

In a contact sheet junk frames have a red border, repeated ones a blue border,
and active images an orange one. It has at most 400 frames, at equal
distances.

Examples:
  octavo video frames clip.mp4 -o frames
  octavo video frames clip.mp4 --json --every 1 --size 0
  octavo video frames clip.mp4 --contact-sheet sheet.png --fps 0.2
  cat clip.mkv | octavo video frames - --json

Exit codes:
  0  done, perhaps with warnings
  1  at least one video failed, see the error stream; the others are processed
  2  the call was wrong
  130, 143  the run was interrupted (SIGINT, SIGTERM); it has ended the JSON)";

struct Call {
  FramesJob job;
  bool json = false;
};

std::string as_text(const TakenFrames& taken) {
  return fmt::format(
      "{}: {} {}x{}, {} of {} frames taken: {} black, {} flat, {} titles, {} bars, {} repeats, {} interlaced\n",
      taken.clip, taken.facts.codec, taken.facts.width, taken.facts.height, taken.taken, taken.decoded, taken.black,
      taken.flat, taken.titles, taken.bars, taken.repeats, taken.interlaced);
}

int run(Call& call) {
  require_one_standard_input(call.job.clips);
  Work work;
  ListOutput out;
  const auto print = [&](std::string_view text) {
    out.print(text);
    return !out.is_broken();
  };
  call.job.standard_input = standard_input().video;
  if (call.json) {
    call.job.list = print;
  } else {
    call.job.take = [&](const TakenFrames& taken) {
      work.progress().clear();
      print(as_text(taken));
    };
  }
  take_frames(call.job, work.context());
  work.progress().clear();
  out.require_whole();
  work.end_if_interrupted();
  return work.exit_code();
}

}  // namespace

void add_video_frames(Command& video, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(video, "frames", description, footer);
  command.add_option("CLIP", call->job.clips, "The videos; - is the standard input.").required().type_name("FILE");
  add_options(command, option_table<VideoOptions>(), call->job.video);

  const std::string group = "Output options";
  CommandOption& output =
      command.add_option("-o,--output", call->job.output, "Write an image (PNG) of each frame to this folder.")
          .type_name("DIR")
          .group(group);
  command
      .add_option("--contact-sheet", call->job.contact_sheet,
                  "Write an image of all frames with their times to this file. Its ending chooses the format (.png, "
                  ".jpg, ...).")
      .type_name("FILE")
      .group(group);
  command.add_flag("--grey", call->job.grey, "Write grey images: the luma that detectors see.")
      .needs(output)
      .group(group);
  command.add_flag("--json", call->json, "Print JSON on the standard output, see below.").group(group);
  command.parse_complete_callback(
      [&command, call] { require_effects(command, option_table<VideoOptions>(), call->job.video); });
  command.callback([call, &exit_code] { exit_code = run(*call); });
}

}  // namespace octavo::cli
