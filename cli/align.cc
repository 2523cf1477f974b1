// octavo align: joins two images of a plane, or two images taken from one place, into one image.

#include <fmt/core.h>

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/complaint.h"
#include "cli/detector.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/standard_streams.h"
#include "io/files/output_file.h"
#include "io/json/json.h"
#include "io/json/matrix_json.h"
#include "octavo/io/drawing.h"
#include "octavo/io/image_files.h"
#include "octavo/multiview/align.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto description = R"(align two images by a homography

Finds the homography that maps points of A to points of B, from matched
keypoints, and shows how well it fits. This works for two images of a flat
object, and for two images of any scene taken from one place. Where the
homography may be wrong, or the scene is neither of these, lines "warning"
say why. A or B is the standard input if it is "-".)";

constexpr auto footer = R"(Output files, for -o out.png:
  out.png               B warped onto A and joined with it along a seam, on a
                        canvas that holds both, transparent elsewhere (white
                        where the format has no alpha). B is cut where it would
                        be drawn more than 4 times as large as in the middle of
                        the overlap. 16-bit and float images keep their depth.
  out.matches.png       both images side by side, a line for each match
  out.inliers.png       the same with the matches that fit the homography
  out.checkerboard.png  squares of A and of warped B by turns, in A's frame:
                        shows how well they fit, as --blend mean does
-o - writes only the first of them, as PNG, to the standard output, and nothing
else; warnings then go to the error stream.

JSON:
  {"image_a": "left.jpg", "image_b": "right.jpg", "keypoint_count_a": 2911,
   "keypoint_count_b": 3480, "match_count": 604, "inlier_count": 480,
   "mean_inlier_error": 0.71,
   "homography": [[0.76, -0.3, 225.7], [0.33, 1.0, -76.9], [0.0, 0.0, 1.0]],
   "warnings": ["the scene is no plane: ..."], "warning_kinds": ["parallax"],
   "files": ["out.matches.png", ...]}
The error is the mean distance in B, in pixels, between the inliers' points and
the points to which the homography maps their partners in A. The homography is
given row by row, or null if there is none. (0, 0) is the centre of the first
pixel. "files" are those that were written. The kinds of warnings:
  few_inliers          at most 8 + 0.3 n of the n matches in the overlap agree
  folded               inliers lie behind the camera, or are mirrored
  parallax             the scene has depth and the camera moved: a fundamental
                       matrix explains matches that the homography does not
  uncertain            the inliers leave a point of the overlap uncertain by
                       more than the threshold: they are far away, or nearly on
                       a line
  extreme_perspective  the scale changes by a factor above 8 within the overlap

Examples:
  octavo align left.jpg right.jpg -o both.png
  octavo align left.jpg right.jpg --json --threshold 2
  octavo align left.jpg right.jpg -o both.png --blend mean
  octavo align left.jpg right.jpg -o - > both.png

Exit codes:
  0  done, with or without warnings
  1  an image cannot be read, an image cannot be written, or no homography fits
  2  the call was wrong)";

// What the command line asks for.
struct Call {
  std::string a, b;
  ReadOptions read;
  std::string output;
  bool json = false;
  DetectorOptions detector;
  MatchOptions match;
  RobustOptions robust;
  BlendOptions blend;
  DeviceOptions device;
};

Json as_json(const Call& call, const Alignment& alignment, const std::vector<fs::path>& files) {
  const RobustModel& homography = alignment.homography;
  Json json = {{"image_a", call.a},
               {"image_b", call.b},
               {"keypoint_count_a", alignment.a.size()},
               {"keypoint_count_b", alignment.b.size()},
               {"match_count", alignment.matches.size()},
               {"inlier_count", homography.inlier_count},
               {"mean_inlier_error", nullptr},
               {"homography", nullptr},
               {"warnings", Json::array()},
               {"warning_kinds", Json::array()},
               {"files", Json::array()}};
  if (homography.found) {
    json["mean_inlier_error"] = homography.mean_inlier_error;
    json["homography"] = matrix_json(homography.b_from_a);
  }
  for (const AlignmentWarning& warning : alignment.warnings) {
    json["warnings"].push_back(warning.sentence);
    json["warning_kinds"].push_back(word(warning.kind));
  }
  for (const fs::path& file : files) json["files"].push_back(file.string());
  return json;
}

void print_text(const Alignment& alignment) {
  const RobustModel& homography = alignment.homography;
  fmt::print("keypoints A         {}\n", alignment.a.size());
  fmt::print("keypoints B         {}\n", alignment.b.size());
  fmt::print("matches             {}\n", alignment.matches.size());
  fmt::print("inliers             {}\n", homography.inlier_count);
  if (!homography.found) return;
  fmt::print("reprojection error  {:.3f} px\n", homography.mean_inlier_error);
  const auto& h = homography.b_from_a;
  for (std::size_t row = 0; row < 3; ++row) {
    fmt::print("{:18}  {:14.8g} {:14.8g} {:14.8g}\n", row == 0 ? "homography B from A" : "", h[3 * row], h[3 * row + 1],
               h[3 * row + 2]);
  }
  for (const AlignmentWarning& one : alignment.warnings) fmt::print("warning             {}\n", one.sentence);
}

// The name of an image: the output's, with `part` before the ending.
fs::path image_file(const Call& call, const std::string& part) {
  fs::path file = call.output;
  file.replace_extension(part + file.extension().string());
  return file;
}

// Refuses options of blending that have no effect.
void require_blending_effects(const Command& command, const Call& call) {
  require_effects(command, option_table<BlendOptions>(), call.blend);
  if (call.blend.blend != Blending::multiband) {
    refuse_if_given(command, "--no-exposure", "without --blend multiband");
  }
  if (!call.output.empty()) return;
  for (const char* flag : {"--blend", "--bands", "--no-exposure"}) {
    refuse_if_given(command, flag, "without --output");
  }
}

// Refuses a call that would write over an image that it reads, or whose images cannot be written.
void require_fit_outputs(const Call& call) {
  if (call.output.empty()) return;
  if (is_standard_stream(call.output)) {
    if (call.json) refuse_standard_output("--json has no place there");
    return require_writable_image(call.output, true);
  }
  std::vector<fs::path> written;
  for (const char* part : {"", ".matches", ".inliers", ".checkerboard"}) written.push_back(image_file(call, part));
  require_not_read(written, std::array<fs::path, 2>{call.a, call.b});
  require_writable_images(written, true);
}

ProgressSink sink_of(Progress& progress) {
  return [&progress](const ProgressStep& step) { progress.show(step.stage, step.done, step.total); };
}

// Writes the images to files and returns their names.
std::vector<fs::path> write_images(const Call& call, const ImageView& a, const ImageView& b,
                                   const std::optional<ValueRange>& scale, const Alignment& alignment,
                                   Progress& progress) {
  std::vector<fs::path> written;
  const auto write = [&](const std::string& part, const Image& image) {
    const fs::path file = image_file(call, part);
    progress.show(file.string());
    write_image(file, image.view());
    written.push_back(file);
  };
  const ProgressSink steps = sink_of(progress);
  const RobustModel& homography = alignment.homography;
  write(".matches", draw_matches(a, alignment.a, b, alignment.b, alignment.matches));
  if (!homography.found) return written;
  write(".inliers", draw_matches(a, alignment.a, b, alignment.b, alignment.matches, homography.inliers));
  Image both = blend(a, b, homography.b_from_a, call.blend, steps);
  if (scale) restore_values(both, *scale, image_file(call, "").string());
  write("", both);
  write(".checkerboard", checkerboard(a, b, homography.b_from_a, steps));
  return written;
}

// Tells the result on the standard output.
void print(const Call& call, const Alignment& alignment, const std::vector<fs::path>& images) {
  if (call.json) {
    fmt::print("{}\n", json_text(as_json(call, alignment, images)));
    return;
  }
  print_text(alignment);
  for (const fs::path& file : images) fmt::print("image             {}\n", file.string());
}

// One range of values for both images, which belong together. None for images of two types.
std::optional<ValueRange> share_range(Photograph& a, Photograph& b) {
  if (a.image.type() != b.image.type()) return std::nullopt;
  if (a.scale == b.scale) return a.scale;
  const ValueRange both = joined(a.scale, b.scale);
  for (Photograph* const one : {&a, &b}) {
    map_from_full_scale(one->image, one->scale);
    map_to_full_scale(one->image, both);
    one->scale = both;
  }
  return both;
}

int run(const Call& call) {
  require_one_standard_input({call.a, call.b});
  require_fit_outputs(call);
  Progress progress;
  DeviceOptions device = call.device;
  device.progress = progress.sink();
  progress.show("starting");
  Extractor extractor = make_extractor(call.detector, device);
  Matcher matcher(call.match, device);
  validate(call.robust);
  Photograph photograph_a = read_photograph(call.a, call.read), photograph_b = read_photograph(call.b, call.read);
  const std::optional<ValueRange> scale = share_range(photograph_a, photograph_b);
  const ImageView a = photograph_a.image.view(), b = photograph_b.image.view();
  const Alignment alignment = align(extractor, matcher, a, b, call.robust, sink_of(progress));
  const RobustModel& homography = alignment.homography;

  if (is_standard_stream(call.output)) {
    if (homography.found) {
      Image both = blend(a, b, homography.b_from_a, call.blend, sink_of(progress));
      if (scale) restore_values(both, *scale, image_name(call.output));
      write_output_image(call.output, both.view());
    }
    progress.clear();
    for (const AlignmentWarning& one : alignment.warnings) complain("warning: " + one.sentence);
  } else {
    std::vector<fs::path> images;
    if (!call.output.empty()) images = write_images(call, a, b, scale, alignment, progress);
    progress.clear();
    print(call, alignment, images);
  }
  if (homography.found) return exit_done;
  complain(fmt::format("no homography maps {} to {}: {}", call.a, call.b, homography.reason));
  return exit_failed;
}

}  // namespace

void add_align(Command& program, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(program, "align", description, footer);

  command.add_option("A", call->a, "The image whose frame is kept.").required().type_name("FILE");
  command.add_option("B", call->b, "The image that is warped onto it.").required().type_name("FILE");
  add_read_options(command, call->read);
  command
      .add_option("-o,--output", call->output,
                  "Write four images, named after this file, see below; -: the first of them to the standard output.")
      .type_name("FILE");
  command.add_flag("--json", call->json, "Print JSON instead of text, see below.");
  const OptionTable<BlendOptions>& table = option_table<BlendOptions>();
  add_options(command, table, call->blend, {"exposure"});
  const std::string group(table.options.front().group);
  command
      .add_flag(
          "--no-exposure", [call] { call->blend.exposure = false; }, "Do not correct exposure and vignetting.")
      .group(group);
  add_robust_options(command, call->robust);
  add_match_options(command, call->match);
  add_detector_options(command, call->detector, Descriptors::always);
  add_device_options(command, call->device);
  command.callback([&command, call, &exit_code] {
    require_blending_effects(command, *call);
    exit_code = run(*call);
  });
}

}  // namespace octavo::cli
