// octavo video keypoints: draws the keypoints of a clip, follows them, and tells the rate at which it does so.

#include <fmt/core.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/complaint.h"
#include "cli/detector.h"
#include "cli/options.h"
#include "cli/standard_streams.h"
#include "cli/video/clip.h"
#include "cli/video/video.h"
#include "cli/work.h"
#include "octavo/error.h"
#include "octavo/jobs/video_jobs.h"
#include "octavo/video/video_file.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(draw and follow the keypoints of a video

Finds the keypoints of each frame, follows them from frame to frame, and draws
both into a video (--output). A followed point keeps its colour and has a tail
along its way; a new point is a small white circle. Tells at the end at which
rate this was done. Without --output nothing is drawn, and the rate is that of
decoding, extraction and matching. "-" is the standard input, or the standard
output for --output. A camera is named by its device, /dev/video0.)";

constexpr auto footer = R"(The clip ends with an error if it is damaged; the drawing then holds the frames
before. The same is so after SIGINT (Ctrl-C), which ends a camera.
The output appears when it is whole; a file of this name is replaced only then.
A pipe, such as the standard output, gets Matroska (.mkv), each frame as soon as
it is drawn; the rate is then told on the error stream.
A camera gives frames of the size and the rate that it is set to (v4l2-ctl). If
they come faster than they are worked on, the oldest ones that wait, more than
two, are dropped and counted. --live does the same for a pipe.
H.264 is encoded if the installed FFmpeg libraries have an encoder, otherwise
MPEG-4. Sound is left out. Times are those of the clip, counted from the first
frame. Sides that are odd get a pixel more.

JSON:
  {"clip": "a.mp4", "output": "drawn.mp4", "codec": "h264", "width": 720,
   "height": 576, "device": "cpu", "frame_count": 250, "live": false,
   "dropped_frame_count": 0, "clip_seconds": 10.0, "seconds": 4.1,
   "frames_per_second": 61.0, "times_real_time": 2.44,
   "per_frame": {"keypoint_count": 1000.0, "decode_seconds": 0.0031,
     "extract_seconds": 0.014, "match_seconds": 0.0012,
     "draw_seconds": 0.004, "encode_seconds": 0.0062},
   "tracking": {"track_count": 3120, "mean_frame_count": 24.5,
                "max_frame_count": 250, "followed_share": 0.82},
   "warnings": [], "problems": []}
"output" and "codec" are null without --output, "tracking" with --no-tracks.
"seconds" is all of the work, from the opening of the clip on. The stages run at
the same time, so that the sum of their times is more than the time of a frame.
Decoding and encoding are times of CPU cores in processes of their own. A track
has at least two frames; "followed_share" is the share of points that continue
one.

Examples:
  octavo video keypoints clip.mp4 -o drawn.mp4
  octavo video keypoints clip.mp4 --json --max-features 1000 --device cuda:0
  octavo video keypoints clip.mkv -o drawn.mkv --size 720 --no-tracks
  octavo video keypoints /dev/video0 -o drawn.mp4 --max-features 1000
  octavo video keypoints /dev/video0 -o - --max-features 1000 | ffplay -
  ffmpeg -v error -f v4l2 -video_size 1280x720 -i /dev/video0 -c copy -f nut - |
    octavo video keypoints - --live --max-features 1000

Exit codes:
  0  done, perhaps with warnings
  1  the clip or the output failed, see the error stream
  2  the call was wrong
  130, 143  the run was interrupted (SIGINT, SIGTERM); the output is whole)";

struct Call {
  KeypointFilm film{};
  bool no_tracks = false, json = false;
};

std::string as_text(const KeypointFilm& film, const FilmReport& report) {
  const auto ms = [&](double seconds) { return 1000 * report.per_frame(seconds); };
  std::string text = fmt::format("{}: {} frames of {}x{} on {}: {:.1f} frames/s, {:.2f} x real time; {:.0f} keypoints",
                                 is_standard_stream(film.clip) ? "standard input" : film.clip, report.frames,
                                 report.size.width, report.size.height, report.device, report.frames_per_second(),
                                 report.times_real_time(), report.per_frame(static_cast<double>(report.keypoints)));
  if (film.video.live) {
    text += fmt::format(", {} of {} frames dropped", report.dropped, report.dropped + report.frames);
  }
  if (film.tracks) {
    text += fmt::format(", {} tracks of {:.1f} frames", report.tracks.tracks, report.tracks.mean_length());
  }
  text += fmt::format("; ms a frame: decoding {:.1f}, extraction {:.1f}", ms(report.decode_seconds),
                      ms(report.extract_seconds));
  if (film.tracks) text += fmt::format(", matching {:.1f}", ms(report.match_seconds));
  if (!film.output.empty()) {
    text += fmt::format(", drawing {:.1f}, encoding {:.1f}", ms(report.draw_seconds), ms(report.encode_seconds));
  }
  return text;
}

int run(Call& call) {
  KeypointFilm& film = call.film;
  const bool to_standard_output = is_standard_stream(film.output);
  if (to_standard_output) {
    if (call.json) refuse_standard_output("--json has no place there");
    require_no_terminal_for_bytes();
  }
  film.standard_input = standard_input().video;
  film.standard_output = STDOUT_FILENO;
  film.tracks = !call.no_tracks;
  film.video.live = film.video.live || is_live(film.clip);
  Work work;
  const FilmReport report = [&] {
    try {
      return make_film(film, work.context());
    } catch (const Error&) {  // of the encoder's process, which writes there
      if (to_standard_output) end_if_reader_has_ended();
      throw;
    }
  }();
  work.progress().clear();
  if (to_standard_output) {
    complain(as_text(film, report));
  } else {
    print_whole((call.json ? json_of(film, report) : as_text(film, report)) + "\n");
  }
  work.end_if_interrupted();
  return work.exit_code();
}

}  // namespace

void add_video_keypoints(Command& video, int& exit_code) {
  const auto call = std::make_shared<Call>();
  KeypointFilm& film = call->film;
  film.video.every = 1;
  film.video.size = 0;
  Command& command = add_command(video, "keypoints", description, footer);
  command.add_option("CLIP", film.clip, "The video or the camera; - is the standard input.")
      .required()
      .type_name("FILE");

  const std::string group = "Output options";
  CommandOption& output =
      command
          .add_option(
              "-o,--output", film.output,
              "Write the drawn video to this file. Its ending chooses the container: .mp4, .m4v, .mov or .mkv. - is "
              "the standard output.")
          .type_name("FILE")
          .group(group);
  add_choice<VideoCodec>(command, "--codec", film.codec,
                         {{"auto", VideoCodec::automatic}, {"h264", VideoCodec::h264}, {"mpeg4", VideoCodec::mpeg4}},
                         "The codec of the output; auto is H.264 if FFmpeg has an encoder of it, otherwise MPEG-4.")
      .needs(output)
      .group(group);
  command.add_flag("--grey", film.grey, "Draw on grey frames: the luma that detectors see.").needs(output).group(group);
  command.add_flag("--json", call->json, "Print JSON on the standard output, see below.").group(group);
  command.add_flag("--no-tracks", call->no_tracks, "Draw the keypoints of each frame for themselves, as extract does.")
      .group("Track options");
  add_options(command, option_table<TrackOptions>(), film.track);
  add_options(command, option_table<VideoOptions>(), film.video, {"engine"});
  command
      .add_flag("--live", film.video.live,
                "Drop frames that come too fast, as those of a camera. A device is always live.")
      .group("Video options");
  add_detector_options(command, film.detector, Descriptors::always);
  add_device_options(command, film.device);
  command.parse_complete_callback([&command, call] {
    VideoOptions& options = call->film.video;
    if (command.count("--fps") > 0 && command.count("--every") == 0) options.every = 0;
    require_effects(command, call->film.detector);
    require_effects(command, option_table<VideoOptions>(), options);
    if (call->film.output.empty()) refuse_if_given(command, "--tail", "without --output");
    if (!call->no_tracks) return;
    for (const auto& option : option_table<TrackOptions>().options) {
      refuse_if_given(command, flag_of(option.name), "with --no-tracks");
    }
  });
  command.callback([call, &exit_code] { exit_code = run(*call); });
}

}  // namespace octavo::cli
