// octavo video affinity: the affinity matrix of two clips, as an image and as data.

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/standard_streams.h"
#include "cli/video/segments.h"
#include "cli/video/video.h"
#include "cli/wrong_call.h"
#include "io/files/output_file.h"
#include "io/json/json.h"
#include "octavo/io/image_files.h"
#include "octavo/video/affinity.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

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
   "segments": [{"in_a": 0.0, "out_a": 4.0, "in_b": 2.0, "out_b": 6.0, ...}],
   "blocks": [{"in_a": 0.0, "out_a": 5.0, "in_b": 3.0, "out_b": 9.0,
               "share": 0.93}]}
Times are seconds from the first frames. Segments are as those of octavo video
search --json. The ends of blocks are those of frames that were taken (--fps).
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
  std::string a, b, image, data;
  AffinityOptions affinity;
  VideoOptions video;
  DeviceOptions device;
  bool no_segments = false, json = false;
};

Json as_json(const Call& call, const AffinityMatrix& matrix, const std::vector<CopySegment>& segments) {
  Json blocks = Json::array();
  for (const AffinityBlock& b : matrix.blocks) {
    blocks.push_back({{"in_a", b.a_in}, {"out_a", b.a_out}, {"in_b", b.b_in}, {"out_b", b.b_out}, {"share", b.share}});
  }
  return {{"clip_a", call.a},
          {"clip_b", call.b},
          {"measure", matrix.measure == AffinityMeasure::matches ? "matches" : "vlad"},
          {"segments", segments_json({segments, true}, "a", "b")},
          {"blocks", std::move(blocks)}};
}

void run(Call call) {
  if (call.b.empty()) call.b = call.a;
  for (const std::string& clip : {call.a, call.b}) {
    if (is_standard_stream(clip)) throw WrongCall("videos are read several times, so - cannot be one");
  }
  if (call.image.empty() && call.data.empty() && !call.json) {
    throw WrongCall("no output given: -o, --data or --json");
  }
  std::vector<fs::path> written;
  if (!call.image.empty()) {
    written.emplace_back(call.image);
    require_writable_images(written, true);
  }
  if (!call.data.empty()) {
    const std::array<fs::path, 1> data{call.data};
    require_ending(data, std::array<std::string_view, 1>{".npz"});
    require_writable(data);
    written.emplace_back(call.data);
  }
  require_not_read(written, std::array<fs::path, 2>{call.a, call.b});
  Progress progress;
  progress.show(call.a);
  const AffinityMatrix matrix = affinity_of(call.a, call.b, call.affinity, call.video, call.device, progress.sink());
  std::vector<CopySegment> segments;
  if (!call.no_segments) {
    segments = compare_clips(call.a, call.b, {}, call.video, call.device, progress.sink()).segments;
  }
  progress.clear();
  if (!call.image.empty()) write_image(call.image, draw_affinity(matrix, segments).view());
  if (!call.data.empty()) write_file(call.data, encode_npz_affinity(matrix, segments));
  if (!call.json) return;
  ListOutput out;
  out.print(json_text(as_json(call, matrix, segments)) + "\n");
  out.require_whole();
}

}  // namespace

void add_video_affinity(Command& video) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(video, "affinity", description, footer);
  command.add_option("A", call->a, "The first video, whose time runs down.").required().type_name("FILE");
  command.add_option("B", call->b, "The second video, whose time runs to the right.").type_name("FILE");
  add_options(command, option_table<AffinityOptions>(), call->affinity);
  add_options(command, option_table<VideoOptions>(), call->video, {"every", "fps", "size", "stored_luma"});
  add_device_options(command, call->device);
  const std::string group = "Output options";
  command.add_option("-o,--output", call->image, "Write the image to this file.").type_name("FILE").group(group);
  command.add_option("--data", call->data, "Write the numbers to this file, .npz.").type_name("FILE").group(group);
  command.add_flag("--json", call->json, "Print JSON on the standard output, see below.").group(group);
  command.add_flag("--no-segments", call->no_segments, "Do not look for segments.").group(group);
  command.callback([call] { run(*call); });
}

}  // namespace octavo::cli
