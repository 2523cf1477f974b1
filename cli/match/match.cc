// octavo match: pairs the keypoints of two images, or of the pairs of many images.

#include <algorithm>
#include <array>
#include <filesystem>

#include "cli/command.h"
#include "cli/detector.h"
#include "cli/inputs.h"
#include "cli/list.h"
#include "cli/match/match_call.h"
#include "io/features/hloc.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

// Whether one of the options is on the command line.
bool is_any_given(const Command& command, const std::vector<std::string>& flags) {
  return std::ranges::any_of(flags, [&](const std::string& flag) { return command.is_given(flag); });
}

void add_camera(Command& command, const std::string& option, std::optional<GivenCamera>& camera) {
  const auto take = [option, &camera](const std::vector<double>& numbers) { camera = given_camera(option, numbers); };
  add_numbers(command, flag_of(option), take);
}

// Whether a name stands for several images: it is a folder, or a pattern that is not itself a file.
bool names_many(const std::string& name) {
  std::error_code unknown;
  if (fs::is_directory(name, unknown) || is_hloc_file(name)) return true;
  return name.find_first_of("*?[") != std::string::npos && !fs::exists(name, unknown);
}

int run(MatchCall& call, const Command& command) {
  if (call.job.verification.by == Verify::none) refuse_options<RobustOptions>(command, "without --verify");
  if (call.job.verification.by != Verify::essential) {
    refuse_if_given(command, {"--camera", "--camera-b"}, "without --verify essential");
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
  refuse_if_given(command, {"--recursive", "--pairs", "--feature-memory"}, "with two images");
  return match_one_pair(call);
}

}  // namespace

void define_match(Command& command) {
  const auto call = std::make_shared<MatchCall>();

  command.add_option("A", call->places.a).required();
  command.add_option("B", call->places.b);
  add_read_options(command, call->job.read);
  command.add_option("--mask", call->job.mask);
  add_one_range(command);
  command.add_option("-o,--output", call->output);
  command.add_option("--image-a", call->image_a);
  command.add_option("--image-b", call->image_b);
  command.add_flag("--json", call->json);

  command.add_flag("--recursive", call->places.recursive);
  command.add_option("--pairs", call->places.pairs).default_str(call->places.pairs);
  add_mebibytes(command, {.name = "feature_memory", .low = 1, .high = 1 << 24}, call->job.feature_memory,
                [call](std::uint64_t bytes) { call->job.feature_memory = bytes; });

  add_match_options(command, call->job.match);
  command.add_flag("--refine", call->refine);
  add_choice<Verify>(command, "--verify", call->job.verification.by,
                     {{"none", Verify::none},
                      {"homography", Verify::homography},
                      {"fundamental", Verify::fundamental},
                      {"essential", Verify::essential}});
  add_camera(command, "camera", call->job.verification.camera);
  add_camera(command, "camera_b", call->job.verification.camera_b);
  add_options(command, call->job.verification.robust);
  add_detector_options(command, call->job.detector, Descriptors::always);
  add_device_options(command, call->job.device);
  command.action = [call, &command] {
    call->detector_given = is_any_given(command, detector_flags());
    call->reading_given = is_any_given(
        command, {"--no-exif-rotation", "--max-pixels", "--range", "--black", "--white", "--one-range", "--mask"});
    if (!call->places.b.empty()) refuse_if_given(command, "--pairs", "with B: it chooses pairs of A");
    const MatchPlaces& places = call->places;
    take_one_range(command, std::array{places.a, places.b.empty() ? places.a : places.b}, places.recursive,
                   call->job.read);
    return run(*call, command);
  };
}

}  // namespace octavo::cli
