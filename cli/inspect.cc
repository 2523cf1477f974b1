// octavo inspect: writes every stage between an image and its keypoints, as files and as a page.

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/detector.h"
#include "cli/estimate.h"
#include "cli/options.h"
#include "cli/standard_streams.h"
#include "cli/video/clip.h"
#include "cli/work.h"
#include "cli/wrong_call.h"
#include "octavo/error.h"
#include "octavo/io/inspection_folder.h"
#include "octavo/jobs/image_jobs.h"
#include "octavo/video/video_file.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(show every stage between an image and its keypoints

Writes the stages of the detector, the candidates and why each was rejected, the
keypoints, the descriptor of a chosen keypoint, and a page that shows them all:
DIR/index.html, one file that needs only a browser. The stages of SIFT are the
Gaussian images of each octave and their differences, those of FOAGDD the
directional derivatives of each scale and the corner measure. The files show
exactly the values that extraction computes. The image or the mask is the
standard input if it is "-"; such an image is called stdin. Of a video one frame
is shown (--frame, --time), called CLIP#INDEX.)";

constexpr auto footer = R"(Output files:
  DIR/index.html                the page: contact sheet, zoom, values under the
                                pointer, candidates with their verdicts,
                                keypoints, descriptors
  DIR/inspect.json              the numbers, as below
  DIR/octave-1_image.png        the image in grey, doubled if --first-octave is
                                -1, before any blur
  DIR/octave-1_blur0.png        the Gaussian images, by octave and level;
                                octave -1 is the image doubled
  DIR/octave-1_difference0.png  the differences; i is blur i + 1 less blur i
  DIR/octave-1_gradient0.png    with --smoothing trilateral, steps of the
                                filter: magnitudes of the gradients of blur 0,
                                and of every other blur that is filtered
  DIR/octave-1_region0.png      the number of pixels around each pixel over
                                which the gradients are alike
  DIR/octave-1_smoothed_gradient4.png
                                the smoothed gradients for blur 4; only from
                                sigma_c = 3 on
  DIR/octave-1_detail1.png      blur 1 less the blur that it was made from
  DIR/octave-1_candidates.png   the candidates of an octave, by verdict
  DIR/keypoints.png             the keypoints with scale and orientation, or
                                their ellipses
  DIR/descriptor.png            the descriptor of the chosen keypoint; with
                                --detector foagdd only with --describe
  DIR/packed.png                with --packed
  DIR/octave-1_blur0.tif        and so on, with --float
With --detector foagdd the stages are instead
  DIR/scale1_derivative0.png    the absolute responses of a scale, from 1, to
                                the filter in direction 0, which points down;
                                direction d is d x 180/K degrees from it to the
                                right
  DIR/scale1_filter0.png        the filter of scale 1 in direction 0: grey is 0,
                                a weight is a square of 6x6 pixels
  DIR/scale1_measure.png        log10 of the corner measure at this scale
  DIR/scale1_candidates.png     the candidates that this scale rejects, and the
                                corners
  DIR/octave0_blur0.png         with --describe: the Gaussian image in which
                                corners are described
The command removes files of an earlier run into DIR that it does not write
again, by the list in the earlier inspect.json. It leaves all other files in DIR
as they are.
The page holds all candidates if there are about 20000 or fewer, otherwise the
strongest of every octave and verdict. It holds the 5000 strongest keypoints and
the descriptors of the 1000 strongest. It says how many of them it shows.
The least value of blur 0 is black in all blurs, its greatest value is white.
For a flat image, black is 0 and white is 1. A difference of 0 is grey (128), -w
is black and w is white; 199 of 200 values of the octave lie between. Details
are shown like differences, gradients from 0 to w, and regions from 0 to the
largest. Derivatives are shown from 0 to w. In a measure the threshold is the
middle grey, so lighter pixels exceed it. inspect.json gives black and white of
each file.
Sides are at most 512 pixels (1600 for candidates, keypoints and --packed). In a
reduced file each pixel is the mean of factor x factor pixels, or, in a
difference or a detail, the value of them that is farthest from 0, or, in a
measure, the greatest.

Verdicts on candidates of SIFT. A candidate is an extremum of the difference of
Gaussians beyond half the contrast threshold. Weaker extrema are only counted,
as faint.
  unstable        did not converge within 5 steps, moved more than 5 pixels, or
                  left the octave
  low contrast    below --contrast-threshold
  edge            above --edge-threshold
  duplicate       converged to the same place as another candidate
  outside mask    see --mask
  no orientation  no gradient around it
  over budget     see --max-features
  kept            gave one keypoint or more
Verdicts on candidates of FOAGDD. A candidate is a pixel whose measure exceeds
--corner-threshold at scale 1, or that is the highest of its 5x5 neighbourhood
and would exceed it at twice the contrast. Weaker highest pixels are only
counted, as faint; those with a measure of 0 are not counted.
  below threshold the measure at scale 1 does not exceed --corner-threshold
  not highest     a pixel of the 5x5 neighbourhood has a higher measure
  scale 2, 3 ...  the measure at this scale does not exceed --corner-threshold
  outside mask, no orientation, over budget, kept: as above

JSON, in inspect.json and from --json: every candidate, every keypoint, one
descriptor (octavo extract --output writes all descriptors):
  {"image": "a.png", "width": 800, "height": 640, "detector": "sift",
   "options": {...}, "contrast": 1.0,
   "kernels": [{"level": 0, "sigma": 1.25, "weights": [0.32, 0.23, ...]}, ...],
   "octaves": [{"octave": -1, "width": 1600, "height": 1280,
                "blur_count": 6, "difference_count": 5,
                "sigmas": [0.8, 1.008, 1.27, 1.6, 2.016, 2.54],
                "faint_counts": [9120, 4411, 2007],
                "verdict_counts": {"unstable": 31, ..., "kept": 1830},
                "keypoint_count": 2214}, ...],
   "point": {"keypoint": 96, "x": 1.5, "y": 2.5, "scale": 2.1,
             "orientation": 0.7, "response": 0.1, "octave": -1, "layer": 2,
             "descriptor": [...]},
   "planes": [{"file": "octave-1_blur0.png", "stage": "blur", "octave": -1,
               "level": 0, "sigma": 1.6, "factor": 4, "black": 0.02,
               "white": 0.98, "signed": false}, ...],
   "files": ["octave-1_blur0.png", ..., "inspect.json"],
   "candidates": [{"octave": -1, "layer": 1, "row": 7, "column": 96, "x": 48.2,
                   "y": 3.4, "scale": 1.1, "value": -0.018,
                   "curvature_ratio": 2.4, "keypoint_count": 1,
                   "verdict": "kept"},
                  ...],
   "keypoints": [{"x": 48.2, "y": 3.4, "scale": 1.1, "orientation": 2.8,
                  "response": 0.018, "octave": -1, "layer": 1,
                  "candidate": 0}, ...]}
With --affine the point and the keypoints that are ellipses have "a11", "a12",
"a21" and "a22" too, as those of octavo extract.
With --detector foagdd there is no "contrast" and no "kernels". Instead
   "scales": [{"scale": 1, "sigma": 1.5, "judged_count": 498401,
               "below_threshold_count": 470022, "not_highest_count": 27512,
               "passed_count": 867},
              {"scale": 2, "sigma": 3.0, "judged_count": 867,
               "below_threshold_count": 39, "passed_count": 828}, ...]
"octaves" has one entry, the image itself, planes have "scale" for "octave", and
a candidate has {..., "responses": [9.71, 9.02, 8.83], ...}, its responses at
all scales, for "value" and "curvature_ratio". Its layer is the scale that
judged it last. A response is null if the measure is 0.
"contrast" is the factor of --contrast-threshold: the contrast of the image with
--smoothing trilateral, unless --trilateral-range is gradients; otherwise 1.
A kernel makes the blur of its level from the one before, in every octave; that
of level 0 makes the first blur of the first octave from the image. Its weights
go from the centre outwards.
Row, column and sigma are in pixels of the octave; x, y and scale are in pixels
of the image, and (0, 0) is the centre of its first pixel. Orientations are in
radians. The ratio is null if the curvatures differ in sign, and 0 for unstable
candidates. The layer of a candidate is the one in which it was found, the layer
of a keypoint the one to which it converged. "candidate" and "keypoint" are
indices into the lists, from 0. "point" is null if there are no keypoints.
"files" lists all files that the run wrote.

Examples:
  octavo inspect photo.jpg -o look
  octavo inspect photo.jpg -o look --preset ece277 --point 310,122
  octavo inspect photo.jpg -o look --preset tsp2023 --packed --full
  octavo inspect photo.jpg -o look --smoothing trilateral
  octavo inspect photo.jpg -o look --detector foagdd
  cat photo.jpg | octavo inspect - -o look

Exit codes:
  0  done
  1  the image cannot be read or a file cannot be written; with --estimate:
     there is not enough memory
  2  the call was wrong)";

// What the command line asks for.
struct Call : InspectJob {
  bool json = false, estimate = false;
};

Point parse_point(const std::string& text) {
  Point place;
  const char* end = text.data() + text.size();
  const auto [comma, x_error] = std::from_chars(text.data(), end, place.x);
  if (x_error == std::errc() && comma != end && *comma == ',') {
    const auto [rest, y_error] = std::from_chars(comma + 1, end, place.y);
    if (y_error == std::errc() && rest == end && std::isfinite(place.x) && std::isfinite(place.y)) return place;
  }
  throw Error(ErrorCode::invalid_option,
              InvalidOption{"point", "\"" + text + "\"", "must be X,Y in pixels, such as 310,122.5"});
}

// Prints one line for each octave: the number of its candidates with each verdict.
void print_octaves(const Inspection& inspection) {
  std::array<std::int64_t, verdict_count> sums{};
  for (const InspectedOctave& octave : inspection.octaves) {
    for (std::size_t v = 0; v < verdict_count; ++v) sums[v] += octave.verdicts[v];
  }
  fmt::print("{:>6}{:>13}{:>9}", "octave", "pixels", "faint");
  for (std::size_t v = 0; v < verdict_count; ++v) {
    if (sums[v] > 0)
      fmt::print("{:>{}}", name_of(static_cast<CandidateVerdict>(v)),
                 name_of(static_cast<CandidateVerdict>(v)).size() + 3);
  }
  fmt::print("{:>12}\n", "keypoints");
  for (const InspectedOctave& octave : inspection.octaves) {
    std::int64_t faint = 0;
    for (const std::int64_t n : octave.faint) faint += n;
    fmt::print("{:>6}{:>13}{:>9}", octave.octave, fmt::format("{}x{}", octave.width, octave.height), faint);
    for (std::size_t v = 0; v < verdict_count; ++v) {
      if (sums[v] > 0) fmt::print("{:>{}}", octave.verdicts[v], name_of(static_cast<CandidateVerdict>(v)).size() + 3);
    }
    fmt::print("{:>12}\n", octave.keypoints);
  }
}

// Prints one line for each scale: what it rejects.
void print_scales(const Inspection& inspection) {
  fmt::print("{:>6}{:>8}{:>12}{:>18}{:>14}{:>10}\n", "scale", "sigma", "judged", "below threshold", "not highest",
             "passed");
  for (const InspectedScale& s : inspection.scales) {
    fmt::print("{:>6}{:>8}{:>12}{:>18}{:>14}{:>10}\n", s.scale, s.sigma, s.judged, s.below_threshold,
               s.scale == 1 ? fmt::format("{}", s.not_highest) : "-", s.passed);
  }
}

// Prints one line for each octave: the blurs of its images.
void print_sigmas(const Inspection& inspection) {
  for (const InspectedOctave& octave : inspection.octaves) {
    if (octave.sigmas.empty()) continue;
    fmt::print("octave {:>2}   sigma of its blurs, in pixels of the image:", octave.octave);
    for (const double sigma : octave.sigmas) fmt::print(" {:.3f}", sigma);
    fmt::print("\n");
  }
}

// Prints one line for each kernel: its sigma, and its weights from the centre outwards.
void print_kernels(const Inspection& inspection) {
  for (const BlurKernel& kernel : inspection.kernels) {
    fmt::print("blur {}      sigma {:.4f}, {} taps:", kernel.level, kernel.sigma, 2 * kernel.weights.size() - 1);
    for (const float weight : kernel.weights) fmt::print(" {:.4f}", weight);
    fmt::print("\n");
  }
}

void print_text(const Call& call, const InspectResult& result) {
  const Inspection& inspection = result.files.inspection;
  if (inspection.octaves.empty()) {
    fmt::print(
        "no octaves: the image, {}x{} pixels, is too small; an octave needs 12 pixels each way, 4 with repeated "
        "smoothing\n",
        result.size.width, result.size.height);
  } else {
    print_octaves(inspection);
    if (!inspection.scales.empty()) print_scales(inspection);
    print_sigmas(inspection);
    print_kernels(inspection);
  }
  if (result.files.point) {
    const Keypoint& k = inspection.features.keypoints[*result.files.point];
    fmt::print("descriptor  of the keypoint at {:.1f},{:.1f}, scale {:.1f}, octave {}, layer {}\n", k.x, k.y, k.scale,
               k.octave, k.layer);
  } else if (describes(call.detector)) {
    fmt::print("descriptor  none: there are no keypoints{}\n", call.files.point ? ", so --point shows nothing" : "");
  }
  if (call.files.packed && !inspection.octaves.empty() && inspection.octaves.front().differences > packed_differences) {
    fmt::print("packed      differences 0, 1 and 2 of the {} of each octave\n", inspection.octaves.front().differences);
  }
  fmt::print("page        {} ({:.1f} MB)\n", (call.folder / "index.html").string(),
             static_cast<double>(result.files.page_bytes) / 1e6);
}

// Refuses what the detector cannot show.
void require_fitting_files(const Command& command, const Call& call) {
  const std::string detector = fmt::format("with --detector {}", detector_of(call.detector).name);
  if (!has_differences(call.detector)) refuse_if_given(command, "--packed", detector);
  if (!describes(call.detector)) {
    const bool has_descriptors = detector_of(call.detector).has_descriptors;
    refuse_if_given(command, "--point", detector + (has_descriptors ? " without --describe" : ""));
  }
}

int print_estimate(const Call& call) {
  const auto estimate = [&](const ImageView& shape) {
    return std::vector{estimate_inspection(shape, !call.mask.empty(), call.detector, call.device, call.files)};
  };
  return print_estimates(std::array{call.image.string()}, {.read = call.read, .json = call.json, .estimate = estimate});
}

void run(Call& call) {
  require_one_standard_input({call.image.string(), call.mask.string()});
  if (is_standard_stream(call.folder)) {
    throw WrongCall("--output -", "an inspection is many files, which need a folder");
  }
  call.standard_input = standard_input();
  Work work(Work::Signal::ends_program);
  const InspectResult result = inspect_image(call, work.context());
  work.progress().clear();
  if (call.json) {
    fmt::print("{}", result.files.json);
  } else {
    print_text(call, result);
  }
}

}  // namespace

void add_inspect(Command& program, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(program, "inspect", description, footer);

  command
      .add_option(
          "IMAGE", call->image,
          "The image, in any format that `octavo extract` reads; - is the standard input. Or a video (.mp4, .mkv, "
          ".avi, ...).")
      .required()
      .type_name("FILE");
  add_read_options(command, call->read);
  add_mask_option(command, call->mask);

  const std::string group = "Output options";
  CommandOption& output =
      command.add_option("-o,--output", call->folder, "Write the files to this folder. It is created if it is missing.")
          .required()
          .type_name("DIR")
          .group(group);
  command
      .add_option(
          "--point", [call](const std::string& text) { call->files.point = parse_point(text); },
          "Show the descriptor of the keypoint nearest to this place of the image, in pixels. Default: the strongest "
          "keypoint.")
      .type_name("X,Y")
      .group(group);
  command
      .add_flag("--packed", call->files.packed,
                "Also write the difference pyramid as one image: differences 0, 1 and 2 of the first octave in three "
                "quarters, the next octave in the free quarter, and so on. With --layers 1 these are all differences.")
      .group(group);
  command
      .add_flag(
          "--full", call->files.full,
          "Write the files in full size. The page holds only thumbnails. When it is zoomed in, it shows these files if "
          "they lie in its folder.")
      .group(group);
  command
      .add_flag("--float", call->files.floats,
                "Also write every plane in full size as 32-bit float TIFF, with the values as computed.")
      .group(group);
  command
      .add_flag("--json", call->json,
                "Print the contents of inspect.json, see below, instead of the table. The files are written too. With "
                "--estimate: print that as JSON, as `octavo extract --help` shows it.")
      .group(group);
  add_estimate(command, "inspection", output, call->estimate).group(group);
  add_detector_options(command, call->detector, Descriptors::on_request);
  add_device_options(command, call->device);
  const std::string video_group = "Video options";
  CommandOption& by_index = add_number(command,
                                       {.name = "frame",
                                        .sentence = "Show the frame of this index of a video, from 0.",
                                        .symbol = "N",
                                        .low = 0,
                                        .high = 1e9},
                                       call->frame.index)
                                .group(video_group);
  add_number(command,
             {.name = "time",
              .sentence = "Show the frame of a video that is seen at this time, instead of `frame`.",
              .symbol = "S",
              .unit = "second",
              .low = -1e6,
              .high = 1e6},
             call->frame.seconds)
      .excludes(by_index)
      .group(video_group);
  add_clip_options(command, call->video, true);
  command.callback([call, &command, &exit_code] {
    call->frame.by_time = command.count("--time") > 0;
    if (looks_like_video(call->image)) {
      refuse_if_given(command, "--estimate", "with a video");
      if (call->mask.empty()) refuse_if_given(command, "--no-exif-rotation", "with a video");
      take_reading_options(command, call->read, call->video);
    } else {
      for (const char* flag : {"--frame", "--time", "--size"}) refuse_if_given(command, flag, "without a video");
    }
    require_fitting_files(command, *call);
    if (call->estimate) {
      exit_code = print_estimate(*call);
    } else {
      run(*call);
    }
  });
}

}  // namespace octavo::cli
