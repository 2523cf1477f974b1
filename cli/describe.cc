// octavo describe: descriptors of keypoints that the caller gives.

#include <fmt/core.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/detector.h"
#include "cli/estimate.h"
#include "cli/options.h"
#include "cli/standard_streams.h"
#include "cli/work.h"
#include "octavo/extractor.h"
#include "octavo/io/feature_files.h"
#include "octavo/jobs/image_jobs.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(describe keypoints that another program found

Computes the descriptors of keypoints of an image at the places, scales and
orientations that a file gives; with --orient the orientations come from the
image. The keypoints may be of any detector, of an earlier run, or of a grid.
Their order is kept. A keypoint that cannot be described (it lies outside the
image, no octave of the scale space has its scale, no gradient gives it an
orientation, its ellipse is longer than an extraction's) is left out; the error
stream and the output say which and why.)";

constexpr auto footer = R"(Keypoint files:
  FILE.npz    for NumPy: keypoints (N x 3 or more numbers: x, y, scale and, as
              far as there are columns, orientation, response) and, if it is
              there, octave_layer (N x 2); descriptors are not read
  FILE.json   {"keypoints": [{"x": 1.5, "y": 2.5, "scale": 2.1,
              "orientation": 0.7}, ...]}, as `octavo extract --json` prints it;
              orientation, response, octave and layer may be missing
  FILE.txt    COLMAP's text, as `octavo extract` writes it; its descriptors are
              not used
(0, 0) is the centre of the first pixel, except in COLMAP's text. The scale is
the standard deviation of the Gaussian in pixels (half of the size of OpenCV's
KeyPoint), the orientation is in radians from +x towards +y. A keypoint is
described at the level whose blur is nearest to its scale.

Output files:
  OUT.npz     keypoints, octave_layer and descriptors as `octavo extract` writes
              them; input (N int32), for each row the index of its keypoint in
              the file, from 0; left_out (M int32), those without a row
  OUT.txt     COLMAP's text: the rows alone
With --orient a keypoint has a row for each of its orientations, one after the
other.

JSON:
  {"image": "a.png",
   "keypoints": [{"x": 1.5, "y": 2.5, "scale": 2.1, "orientation": 0.7,
                  "response": 0.03, "octave": 0, "layer": 2, "input": 0}, ...],
   "left_out": [{"input": 3, "reason": "lies outside the image"}, ...],
   "seconds": 0.0415}

Examples:
  octavo describe photo.jpg --keypoints harris.npz --orient -o harris_sift.npz
  octavo describe photo.jpg --keypoints grid.json -o out.npz --preset colmap
  octavo extract photo.jpg -o - --format npz > found.npz
  octavo describe brighter.jpg --keypoints found.npz -o same_places.npz

Exit codes:
  0  done; keypoints may be left out, see the error stream
  1  a file cannot be read or written; with --estimate: there is not enough
     memory
  2  the call was wrong)";

// Options of the search for keypoints.
constexpr std::array<std::string_view, 12> without_effect{"contrast_threshold",
                                                          "edge_threshold",
                                                          "target_features",
                                                          "max_features",
                                                          "max_points",
                                                          "rank",
                                                          "grid",
                                                          "directions",
                                                          "verify_scales",
                                                          "rho",
                                                          "window",
                                                          "corner_threshold"};

// What the command line asks for.
struct Call {
  std::string image, keypoints, output;
  bool orient = false, json = false, estimate = false;
  DescribeJob job;
};

int print_estimate(const Call& call, std::size_t keypoints) {
  const Extractor extractor = make_extractor(call.job.detector, call.job.device);
  const auto estimate = [&](const ImageView& shape) {
    return std::vector{extractor.estimate_description(shape, keypoints)};
  };
  return print_estimates(std::array{call.image}, {.read = call.job.read, .json = call.json, .estimate = estimate});
}

void print(const Call& call, const DescribedImage& done) {
  if (is_standard_stream(call.output)) {
    write_standard_output(encode_npz_description("standard output", done.description));
  } else if (call.json) {
    fmt::print("{}\n", json_description(call.image, done.description, done.seconds));
  } else {
    fmt::print("{}: {} descriptors of {} keypoints, {:.1f} ms\n", call.image, done.description.features.size(),
               done.keypoints, 1000 * done.seconds);
  }
}

int run(Call& call) {
  const bool is_streamed = is_standard_stream(call.output);
  if (is_streamed) {
    if (call.json) refuse_standard_output("--json has no place there");
    require_no_terminal_for_bytes();
  }
  if (call.estimate) return print_estimate(call, read_keypoints(call.keypoints).size());
  DescribeJob& job = call.job;
  job.items = {{call.image, call.keypoints, is_streamed ? "" : call.output}};
  if (call.orient) job.orientations = OrientationFrom::image;
  job.standard_input = read_standard_input;
  Work work(Work::Signal::ends_program);
  job.take = [&](const DescribedImage& done) {
    work.progress().clear();
    print(call, done);
    return true;
  };
  describe_keypoints(job, work.context());
  return work.exit_code();
}

}  // namespace

void add_describe(Command& program, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(program, "describe", description, footer);
  command
      .add_option("IMAGE", call->image,
                  "The image, in any format that `octavo extract` reads; - is the standard input.")
      .required()
      .type_name("FILE");
  command.add_option("--keypoints", call->keypoints, "Describe the keypoints of this file (.npz, .json, .txt).")
      .required()
      .type_name("FILE");
  command.add_flag("--orient", call->orient,
                   "Take the orientations from the image, not from the file: a keypoint has a descriptor for each "
                   "strong orientation.");
  CommandOption& output =
      command
          .add_option("-o,--output", call->output,
                      "Write the descriptors to this file. Its ending chooses the format (.npz, .txt); - is npz on the "
                      "standard output. Without it only their number is printed.")
          .type_name("FILE");
  command.add_flag("--json", call->json, "Print JSON instead of text, in the form below.");
  add_estimate(command, "description", output, call->estimate);
  add_read_options(command, call->job.read);
  add_detector_options(command, call->job.detector, Descriptors::always);
  command.option("--detector")
      .description(
          "Whose scale space describes the points: that of SIFT has levels for all scales; that of FOAGDD has one, of "
          "--descriptor-scale. Of the options of SIFT, FOAGDD takes --luma and those of descriptions.");
  command.option("--smoothing")
      .description(
          "What smooths the images within an octave: Gaussian blurs, or the trilateral filter, which leaves edges "
          "steep "
          "and takes much longer.");
  for (const std::string_view option : without_effect) {
    command.remove_option(flag_of(option));
  }
  command.parse_complete_callback([call, &command] {
    require_effects(command, call->job.detector);
    if (call->orient) return;
    for (const char* const flag : {"--upright", "--max-orientations"})
      refuse_if_given(command, flag, "without --orient");
  });
  add_device_options(command, call->job.device);
  command.callback([call, &exit_code] { exit_code = run(*call); });
}

}  // namespace octavo::cli
