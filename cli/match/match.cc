// octavo match: pairs the keypoints of two images, or of the pairs of many images.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/detector.h"
#include "cli/list.h"
#include "cli/match/match_call.h"
#include "cli/one_range.h"
#include "cli/options.h"
#include "cli/wrong_call.h"
#include "io/features/hloc.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto description = R"(match the keypoints of images

Extracts the keypoints of A and B and pairs each keypoint of A with the one of B
whose descriptor is nearest, by exact search. A and B are images, or files of
features (.npz, of octavo extract or of NumPy; .txt, of octavo extract or for
COLMAP); "-" is an image on the standard input. If A is a folder or a quoted
pattern and there is no B, the images of A are matched in pairs. If there are
both, and A or B is a folder or a pattern, the images of A are matched with
those of B. A folder without images gives its features: the .npz files, and
the .txt files that are named after an image (a.jpg.txt).)";

constexpr auto footer = R"(Output file:
  two images    FILE.png (.jpg, ...): both side by side, a line for each match
                (with --verify: for each inlier). Features need --image-a and
                --image-b. -: as PNG on the standard output, and nothing else.
  many images   FILE.txt, for `colmap matches_importer`: for each pair the two
                names, a line "i j" for each match, an empty line. Names are
                those below the folder; those of features are without .npz or
                .txt. With --verify it has the inliers (--match_type inliers),
                otherwise all matches (--match_type raw). The indices are those
                of octavo extract with the same options. Pairs are written as
                they come, to .FILE.txt.part, which gets its name at the end.
                -: on the standard output, and nothing else.
                FILE.h5: HDF5 for hloc; a file that exists is extended. For each
                pair the group "A/B" (- stands for / in names) with matches0
                (int32, -1: none) and matching_scores0 (float32).

A may also be FILE.h5, hloc's features (octavo extract --format hloc).
--verify essential needs the focal lengths: those of --camera, or else those
that the EXIF data of the images give.

JSON:
  {"image_a": "left.jpg", "image_b": "right.jpg", "keypoint_count_a": 2911,
   "keypoint_count_b": 3480, "match_seconds": 0.0125,
   "matches": [{"a": 0, "b": 17, "distance": 93.2, "x_a": 1.5, "y_a": 2.5,
                "x_b": 3.5, "y_b": 4.5}, ...]}
a and b are indices into the keypoints in the order of `octavo extract`. The
distance is that of the descriptors. Coordinates are in pixels, and (0, 0) is
the centre of the first pixel. The seconds are those of the matching alone. Many
images give an array of such objects, without seconds.
With --verify each match has "inlier", and there is
   "verification": {"model": "essential", "inlier_count": 480, "reason": null,
                    "reprojection_error": 0.71,
                    "essential_matrix": [[...], [...], [...]],
                    "rotation_b_from_a": [[...], [...], [...]],
                    "translation_b_from_a": [...], "in_front_count": 478,
                    "median_ray_angle": 0.07}
The matrix is "homography", "fundamental_matrix" or "essential_matrix", from A
to B as a list of rows, or null with a reason. A fundamental matrix has a list
of "warnings", of one sentence if the pairs lie on one plane, which does not
determine it. The last four belong to the
essential matrix: the pose R, t of B relative to A (a point p in A's
frame is R p + t in B's), |t| = 1; the inliers in front of both cameras; the
median angle, in radians, between the two rays to a point. Where that is not
well above threshold / focal length, the cameras stand at one place, and t is
arbitrary.

Examples:
  octavo match left.jpg right.jpg --detector foagdd -o matches.png
  octavo match left.jpg right.jpg --ratio 0.7 --json
  octavo match left.jpg right.jpg --verify essential --camera 1200
  octavo match a.npz b.npz --json
  octavo match photos/ -o matches.txt --verify fundamental
  octavo match photos/ --pairs sequential:10 -o matches.txt --preset colmap
  octavo match features/ --pairs pairs.txt -o matches.txt
  octavo match left.jpg right.jpg -o - > matches.png

Exit codes:
  0  done, with or without matches
  1  an image cannot be read, the output cannot be written, or two images have
     no model that --verify asks for; of many images the others are matched
  2  the call was wrong)";

// Whether one of the options is on the command line.
bool is_any_given(const Command& command, const std::vector<std::string>& flags) {
  return std::any_of(flags.begin(), flags.end(), [&](const std::string& flag) {
    const CommandOption* const option = command.find_option(flag);
    return option != nullptr && option->count() > 0;
  });
}

void add_camera(Command& command, const std::string& option, std::optional<GivenCamera>& camera,
                const std::string& sentence) {
  const auto take = [option, &camera](const std::vector<double>& numbers) { camera = given_camera(option, numbers); };
  add_numbers(command, flag_of(option), take, sentence).type_name("F|FX,FY,CX,CY").group("Geometry options");
}

// Whether a name stands for several images: it is a folder, or a pattern that is not itself a file.
bool names_many(const std::string& name) {
  std::error_code unknown;
  if (fs::is_directory(name, unknown) || is_hloc_file(name)) return true;
  return name.find_first_of("*?[") != std::string::npos && !fs::exists(name, unknown);
}

int run(MatchCall& call, const Command& command) {
  if (call.job.verification.by == Verify::none) refuse_robust_options(command, "without --verify");
  if (call.job.verification.by != Verify::essential) {
    for (const char* const flag : {"--camera", "--camera-b"}) {
      refuse_if_given(command, flag, "without --verify essential");
    }
  }
  validate(call.job.verification.robust);
  if (names_many(call.places.a) || (!call.places.b.empty() && names_many(call.places.b))) {
    refuse_if_given(command, "--refine",
                    "with many images, of which keypoints match several (octavo sfm refines these)");
    require_folder_to_recurse(command, std::array{call.places.a, call.places.b});
    return match_many_pairs(call);
  }
  if (call.places.b.empty()) {
    throw WrongCall("B is missing: one image alone has no pair (a folder or a pattern has)");
  }
  for (const char* const flag : {"--recursive", "--pairs", "--feature-memory"}) {
    refuse_if_given(command, flag, "with two images");
  }
  return match_one_pair(call);
}

}  // namespace

void add_match(Command& program, int& exit_code) {
  const auto call = std::make_shared<MatchCall>();
  Command& command = add_command(program, "match", description, footer);

  command.add_option("A", call->places.a, "The first image or features (.npz, .txt), or a folder or pattern of them.")
      .required()
      .type_name("FILE");
  command.add_option("B", call->places.b, "The second one.").type_name("FILE");
  add_read_options(command, call->job.read);
  add_mask_option(command, call->job.mask);
  add_one_range(command);
  command
      .add_option("-o,--output", call->output,
                  "Of two images: draw them side by side, with a line for each match, to this file (.png, .jpg, ...). "
                  "Of many: write the matches to this file (.txt). -: to the standard output.")
      .type_name("FILE");
  command.add_option("--image-a", call->image_a, "The image of A, to draw on, if A is a file of features.")
      .type_name("FILE");
  command.add_option("--image-b", call->image_b, "The image of B, to draw on, if B is a file of features.")
      .type_name("FILE");
  command.add_flag("--json", call->json, "Print JSON instead of text, see below.");

  constexpr auto many = "Options for many images";
  command.add_flag("--recursive", call->places.recursive, "Also take what is in subfolders of the folders.")
      .group(many);
  add_pairs_option(command, call->places.pairs).group(many);
  add_mebibytes(command,
                {.name = "feature_memory",
                 .group = many,
                 .sentence = "Memory for the features of all images at most, in MiB; a keypoint takes 156 bytes.",
                 .low = 1,
                 .high = 1 << 24},
                call->job.feature_memory, [call](std::uint64_t bytes) { call->job.feature_memory = bytes; });

  add_match_options(command, call->job.match);
  command
      .add_flag("--refine", call->refine,
                "Refine the matches of two images: what A shows around a keypoint is found again in B, and the "
                "keypoint of B is moved there.")
      .group("Matching options");
  add_choice<Verify>(command, "--verify", call->job.verification.by,
                     {{"none", Verify::none},
                      {"homography", Verify::homography},
                      {"fundamental", Verify::fundamental},
                      {"essential", Verify::essential}},
                     "Fit this model to the matches and say which of them agree with it.")
      .group("Geometry options");
  add_camera(command, "camera", call->job.verification.camera,
             "The camera, for --verify essential: focal lengths and principal point in pixels. With F alone the "
             "principal point is the centre of the image. Without it the EXIF data give the focal length.");
  add_camera(command, "camera_b", call->job.verification.camera_b, "The camera of B, if it is another one.");
  add_robust_options(command, call->job.verification.robust);
  add_detector_options(command, call->job.detector, Descriptors::always);
  add_device_options(command, call->job.device);
  command.callback([call, &command, &exit_code] {
    call->detector_given = is_any_given(command, detector_flags());
    call->reading_given = is_any_given(
        command, {"--no-exif-rotation", "--max-pixels", "--range", "--black", "--white", "--one-range", "--mask"});
    if (!call->places.b.empty()) refuse_if_given(command, "--pairs", "with B: it chooses pairs of A");
    const MatchPlaces& places = call->places;
    take_one_range(command, std::array{places.a, places.b.empty() ? places.a : places.b}, places.recursive,
                   call->job.read);
    exit_code = run(*call, command);
  });
}

}  // namespace octavo::cli
