// octavo video frames: takes frames out of videos, as images, as a list, and as a contact sheet.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/complaint.h"
#include "cli/interruption.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/standard_streams.h"
#include "cli/video/clip.h"
#include "cli/video/frame_list.h"
#include "cli/video/video.h"
#include "cli/wrong_call.h"
#include "io/files/output_file.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"
#include "video/frames/contact_sheet.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

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
   "declared_frame_count": 250, "declared_seconds": 10.0,
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

// What the command line asks for.
struct Call {
  std::vector<std::string> clips;
  std::string output, contact_sheet;
  bool grey = false, json = false;
  VideoOptions video;
};

// The frames of one video on their way to images, list and sheet.
class ClipWork {
 public:
  ClipWork(const Call& call, const std::string& clip, FrameList& list, Progress& progress)
      : call_(call), clip_(clip), list_(list), progress_(progress), video_(open_video(clip, call.video)) {}

  // Throws the errors of the video and of the files.
  void run(const Interruption& interruption) {
    list_.begin(clip_, video_.facts());
    std::string error;
    std::exception_ptr failure;
    try {
      while (!interruption.is_requested() && !list_.is_broken()) {
        const std::optional<VideoFrame> frame = video_.next();
        if (!frame) break;
        take(*frame);
      }
    } catch (const std::exception& caught) {
      error = caught.what();
      failure = std::current_exception();
    }
    runs_.finish();
    list_ended_runs();
    progress_.clear();
    list_.end(video_, error);
    for (const VideoWarning& warning : video_.warnings()) {
      complain(fmt::format("warning: {}: {}", clip_, warning.sentence));
    }
    write_sheet();
    if (failure) std::rethrow_exception(failure);
  }

 private:
  void take(const VideoFrame& frame) {
    tell_progress();
    const bool is_stored = call_.video.stored_luma && video_.facts().limited_range;
    const FrameContent content = content_of(frame.grey.view(), is_stored ? 16 : 0);
    const bool repeats = runs_.add(frame.grey.view(), frame.index, frame.seconds);
    list_ended_runs();
    const ImageView image = frame.colour.empty() ? frame.grey.view() : frame.colour.view();
    fs::path file;
    if (!call_.output.empty()) {
      file = fs::path(call_.output) /
             fmt::format("{}_{:07}_{:.3f}s.png", name_of_results(clip_), frame.index, frame.seconds);
      write_image(file, image);
    }
    if (!call_.contact_sheet.empty()) sheet_.add(image, frame.seconds, content, repeats);
    list_.add({frame, content, repeats, file.string()});
  }

  void list_ended_runs() {
    for (const FrameRun& run : runs_.take_ended()) list_.add(run);
  }

  void tell_progress() {
    const VideoFacts& facts = video_.facts();
    if (facts.declared_frames > 0) {
      report(progress_.sink(), "frames", static_cast<std::size_t>(video_.decoded()),
             static_cast<std::size_t>(facts.declared_frames));
    } else {
      report(progress_.sink(), "seconds", static_cast<std::size_t>(std::max(video_.seconds_done(), 0.0)),
             static_cast<std::size_t>(facts.declared_seconds));
    }
  }

  void write_sheet() {
    if (call_.contact_sheet.empty() || sheet_.size() == 0) return;
    const VideoFacts& facts = video_.facts();
    const std::string heading =
        fmt::format("{}   {} {}x{}", name_of_results(clip_), facts.codec, facts.width, facts.height);
    write_image(call_.contact_sheet, sheet_.draw(heading).view());
  }

  const Call& call_;
  const std::string& clip_;
  FrameList& list_;
  Progress& progress_;
  Video video_;
  FrameRuns runs_;
  ContactSheet sheet_;
};

// Videos of the same name would overwrite each other's images.
void require_distinct_names(const std::vector<std::string>& clips) {
  for (std::size_t i = 0; i < clips.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (name_of_results(clips[i]) != name_of_results(clips[j])) continue;
      throw WrongCall("--output", fmt::format("{} and {} have the same name, their images would overwrite "
                                              "each other; give them one call each",
                                              clips[j], clips[i]));
    }
  }
}

void require_fit_outputs(const Call& call) {
  require_one_standard_input(call.clips);
  if (!call.output.empty()) {
    require_distinct_names(call.clips);
    require_writable_folder(call.output);
  }
  if (call.contact_sheet.empty()) return;
  if (call.clips.size() > 1) throw WrongCall("--contact-sheet", "it shows one video; several are given");
  const std::array<fs::path, 1> sheet{call.contact_sheet};
  require_writable_images(sheet, true);
  require_not_read(sheet, std::array<fs::path, 1>{call.clips.front()});
}

int run(const Call& call) {
  validate(call.video);
  require_fit_outputs(call);
  if (!call.output.empty()) make_folder(call.output);
  Progress progress;
  FrameList list(call.json, call.clips.size() > 1);
  const Interruption interruption;
  bool failed = false;
  std::size_t done = 0;
  for (const std::string& clip : call.clips) {
    if (interruption.is_requested() || list.is_broken()) break;
    progress.show(clip, done++, call.clips.size());
    try {
      ClipWork(call, clip, list, progress).run(interruption);
    } catch (const std::exception& error) {
      failed = true;
      progress.clear();
      complain(error.what());
    }
  }
  progress.clear();
  list.finish();
  if (interruption.is_requested()) {
    complain("interrupted");
    interruption.end_program();
  }
  return failed ? exit_failed : exit_done;
}

}  // namespace

void add_video_frames(Command& video, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(video, "frames", description, footer);
  command.add_option("CLIP", call->clips, "The videos; - is the standard input.").required().type_name("FILE");
  add_options(command, option_table<VideoOptions>(), call->video);

  const std::string group = "Output options";
  CommandOption& output =
      command.add_option("-o,--output", call->output, "Write an image (PNG) of each frame to this folder.")
          .type_name("DIR")
          .group(group);
  command
      .add_option("--contact-sheet", call->contact_sheet,
                  "Write an image of all frames with their times to this file. Its ending chooses the format (.png, "
                  ".jpg, ...).")
      .type_name("FILE")
      .group(group);
  command.add_flag("--grey", call->grey, "Write grey images: the luma that detectors see.").needs(output).group(group);
  command.add_flag("--json", call->json, "Print JSON on the standard output, see below.").group(group);
  command.parse_complete_callback(
      [&command, call] { require_effects(command, option_table<VideoOptions>(), call->video); });
  command.callback([call, &exit_code] {
    call->video.colour = !call->grey && (!call->output.empty() || !call->contact_sheet.empty());
    exit_code = run(*call);
  });
}

}  // namespace octavo::cli
