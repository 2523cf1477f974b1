// octavo video compare: the segments that two videos share.

#include <fmt/core.h>

#include <array>
#include <filesystem>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/standard_streams.h"
#include "cli/video/clip.h"
#include "cli/video/segments.h"
#include "cli/video/video.h"
#include "cli/wrong_call.h"
#include "io/files/output_file.h"
#include "io/json/json.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"
#include "octavo/video/copy_segment.h"
#include "octavo/video/video.h"
#include "video/signature/copy_image.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;
constexpr auto description = R"(find the segments that two videos share

Finds parts of A that show the same as parts of B: excerpts, copies that are
coded again, scaled, cropped, mirrored or framed by bars, pictures in pictures,
other frame rates and speeds, and parts that were cut out. Features of frames
are compared, so the sound plays no part. Times count from the first frame. Both
videos are read several times, so they must be files. Takes a time that grows
with the product of the lengths: a few minutes for two clips of ten minutes.)";

constexpr auto footer = R"(Output: a line for each segment, best first, and the shares that they cover
  in A   in B   times of the first frame, and when the last frame ends
  speed  seconds of B for a second of A
  score  -log10 of the expected number of such segments between two clips that
         share nothing: 3 is one in a thousand pairs of clips

JSON:
  {"query": "a.mp4", "other": "b.mp4", "query_seconds": 30.0,
   "other_seconds": 60.0, "query_coverage": 0.2, "other_coverage": 0.1,
   "segments": [{"query_in": 4.0, "query_out": 10.0, "other_in": 23.36,
                 "other_out": 29.36, "speed": 1.0, "mirrored": false,
                 "other_from_query": [1.25, 0.0, -12.0, 1.0], "frames": 30,
                 "inliers": 2100, "score": 46.1, "exact_ends": true}, ...]}
"other_from_query" is [a, b, tx, ty]: (x, y) of a frame of A, mirrored left to
right if "mirrored", is at (a x - b y + tx, b x + a y + ty) of B, in pixels of
frames that are reduced to 640 on the long side. "frames" of A were verified,
"inliers" is the number of their features that agree.

Examples:
  octavo video compare copy.mp4 original.mp4
  octavo video compare copy.mp4 original.mp4 --image why.png
  octavo video compare a.mkv b.avi --json --min-seconds 5

Exit codes:
  0  done, whether or not there are such segments
  1  a video failed, see the error stream
  2  the call was wrong)";

struct Call {
  std::string query, other, image;
  bool json = false;
  CopyOptions copy;
  VideoOptions video;
  DeviceOptions device;
};

Json as_json(const Call& call, const ClipComparison& found) {
  return {{"query", call.query},
          {"other", call.other},
          {"query_seconds", found.query_seconds},
          {"other_seconds", found.other_seconds},
          {"query_coverage", coverage(found.segments, found.query_seconds, true)},
          {"other_coverage", coverage(found.segments, found.other_seconds, false)},
          {"segments", segments_json({found.segments, true}, "query", "other")}};
}

std::string as_text(const Call& call, const ClipComparison& found) {
  if (found.segments.empty()) return fmt::format("{} and {} share no segment\n", call.query, call.other);
  return segments_text({found.segments, true}, "A", "B") +
         fmt::format("{:.0f} % of {} is in {}; {:.0f} % of {} is in {}\n",
                     100 * coverage(found.segments, found.query_seconds, true), call.query, call.other,
                     100 * coverage(found.segments, found.other_seconds, false), call.other, call.query);
}

void run(const Call& call) {
  validate(call.copy);
  validate(call.video);
  for (const std::string& clip : {call.query, call.other}) {
    if (is_standard_stream(clip)) throw WrongCall("videos are read several times, so - cannot be one");
  }
  if (!call.image.empty()) {
    const std::array<fs::path, 1> image{call.image};
    require_writable_images(image, true);
    require_not_read(image, std::array<fs::path, 2>{call.query, call.other});
  }
  Progress progress;
  progress.show(call.query);
  const ClipComparison found =
      compare_clips(call.query, call.other, call.copy, call.video, call.device, progress.sink());
  if (!call.image.empty() && !found.segments.empty()) {
    write_image(call.image, draw_copy(found.segments.front(), call.query, call.other, call.video).view());
  }
  progress.clear();
  ListOutput out;
  out.print(call.json ? json_text(as_json(call, found), 2) + "\n" : as_text(call, found));
  out.require_whole();
}

}  // namespace

void add_video_compare(Command& video) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(video, "compare", description, footer);
  command.add_option("A", call->query, "The video whose parts are looked for.").required().type_name("FILE");
  command.add_option("B", call->other, "The video in which they are looked for.").required().type_name("FILE");
  add_options(command, option_table<CopyOptions>(), call->copy);
  add_options(command, option_table<VideoOptions>(), call->video, {"every", "fps", "size", "stored_luma"});
  add_device_options(command, call->device);
  const std::string group = "Output options";
  command
      .add_option("--image", call->image,
                  "Write an image of the best segment to this file: a frame of both videos, with the features that "
                  "agree. Its ending chooses the format (.png, .jpg, ...). Without a segment there is none.")
      .type_name("FILE")
      .group(group);
  command.add_flag("--json", call->json, "Print JSON on the standard output, see below.").group(group);
  command.callback([call] { run(*call); });
}

}  // namespace octavo::cli
