// octavo align: joins two images of a plane, or two images taken from one place, into one image.

#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/complaint.h"
#include "cli/detector.h"
#include "cli/options.h"
#include "cli/standard_streams.h"
#include "cli/work.h"
#include "octavo/jobs/mosaic_jobs.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto description = R"(align two images by a homography

Finds the homography that maps points of A to points of B, from matched
keypoints, and shows how well it fits. Keypoints of B are moved to where B shows
what A shows at their partners, which leaves a third of a detector's error. This
works for two images of a flat object, and for two images of any scene taken
from one place. Where the homography may be wrong, or the scene is neither of
these, lines "warning" say why. A or B is the standard input if it is "-".

Where no homography fits, or not surely, views of both images are tried: each
image compressed in one direction, as a camera sees a plane from aside. A
homography that they propose counts if it brings the images together so that
their points match anew. "views" then says how many were needed. This takes 10
to 30 times as long as a plain alignment, and --no-retry leaves it out.)";

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
   "keypoint_count_b": 3480, "views": "none", "match_count": 604,
   "inlier_count": 480, "reprojection_error": 0.71,
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
  local                after a retry: the inliers lie in less than 30 % of the
                       places with keypoints that both images show

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
struct Call : AlignJob {
  std::string output_name;  // "-": the standard output
  bool json = false;
};

void print_text(const AlignResult& result) {
  const Alignment& alignment = result.alignment;
  const RobustModel& homography = alignment.homography;
  if (alignment.views != Views::none) {
    fmt::print("views               {}\n", word_of(alignment.views));
  }
  fmt::print("keypoints A         {}\n", alignment.a.size());
  fmt::print("keypoints B         {}\n", alignment.b.size());
  fmt::print("matches             {}\n", alignment.matches.size());
  fmt::print("inliers             {}\n", homography.inlier_count);
  if (homography.found) {
    fmt::print("reprojection error  {:.3f} px\n", homography.reprojection_error);
    const auto& h = homography.b_from_a;
    for (std::size_t row = 0; row < 3; ++row) {
      fmt::print("{:18}  {:14.8g} {:14.8g} {:14.8g}\n", row == 0 ? "homography B from A" : "", h[3 * row],
                 h[3 * row + 1], h[3 * row + 2]);
    }
  }
  for (const AlignmentWarning& one : alignment.warnings) fmt::print("warning             {}\n", one.sentence);
  for (const fs::path& file : result.files) fmt::print("image               {}\n", file.string());
}

// Refuses options of blending that have no effect.
void require_blending_effects(const Command& command, const Call& call) {
  require_effects(command, option_table<BlendOptions>(), call.blend);
  if (call.blend.blend != Blending::multiband) {
    refuse_if_given(command, "--no-exposure", "without --blend multiband");
  }
  if (!call.output_name.empty()) return;
  for (const char* flag : {"--blend", "--bands", "--no-exposure"}) {
    refuse_if_given(command, flag, "without --output");
  }
}

int run(Call& call) {
  require_one_standard_input({call.a.string(), call.b.string()});
  const bool is_piped = is_standard_stream(call.output_name);
  if (is_piped) {
    if (call.json) refuse_standard_output("--json has no place there");
    require_writable_image(call.output_name, true);
    call.take = [&](const ImageView& both) { write_output_image(call.output_name, both); };
  } else {
    call.output = call.output_name;
  }
  call.standard_input = standard_input();
  Work work(Work::Signal::ends_program);
  const AlignResult result = align_images(call, work.context());
  work.progress().clear();
  if (is_piped) {
    for (const AlignmentWarning& one : result.alignment.warnings) complain("warning: " + one.sentence);
  } else if (call.json) {
    fmt::print("{}\n", json_of(call, result));
  } else {
    print_text(result);
  }
  const RobustModel& homography = result.alignment.homography;
  if (homography.found) return exit_done;
  complain(fmt::format("no homography maps {} to {}: {}", call.a.string(), call.b.string(), homography.reason));
  return exit_failed;
}

}  // namespace

void add_align(Command& program, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(program, "align", description, footer);

  command.add_option("A", call->a, "The image whose frame is kept.").required().type_name("FILE");
  command.add_option("B", call->b, "The image that is warped onto it.").required().type_name("FILE");
  add_read_options(command, call->read);
  add_mask_option(command, call->mask);
  command
      .add_option("-o,--output", call->output_name,
                  "Write four images, named after this file, see below; -: the first of them to the standard output.")
      .type_name("FILE");
  command.add_flag("--json", call->json, "Print JSON instead of text, see below.");
  command.add_flag(
      "--no-retry", [call] { call->retry = false; }, "Do not try views where the images do not fit, see below.");
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
