// Two images, or stored features, and the matches between them.

#include <fmt/core.h>

#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/complaint.h"
#include "cli/match/match_call.h"
#include "cli/match/match_json.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/standard_streams.h"
#include "cli/wrong_call.h"
#include "engine/core/stopwatch.h"
#include "io/files/output_file.h"
#include "io/json/json.h"
#include "octavo/extractor.h"
#include "octavo/io/drawing.h"
#include "octavo/io/feature_files.h"
#include "octavo/io/photograph.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

// One of the two.
struct Side {
  std::optional<Photograph> image;
  Features features;

  [[nodiscard]] ImageFacts facts() const { return image ? facts_of(*image) : ImageFacts(); }
};

// What the command line says of one of the two.
struct SideWords {
  const std::string& name;
  const std::string& image_name;  // the image of stored features; empty: not known
  const std::optional<GivenCamera>& camera;

  [[nodiscard]] bool is_stored() const { return looks_like_features(name); }
  [[nodiscard]] const std::string& name_of_image() const { return is_stored() ? image_name : name; }
};

Side load(const SideWords& words, const MatchCall& call, std::optional<Extractor>& extractor) {
  Side side;
  if (!words.name_of_image().empty()) {
    side.image = read_photograph(words.name_of_image(), call.job.read);
    require_focal_length(call.job.verification, words.camera, words.name_of_image(), side.facts());
  }
  side.features = words.is_stored() ? read_features(words.name) : extractor->extract(side.image->image.view());
  return side;
}

// Refuses options of a side that have no effect, and a side that lacks one. `letter` is A or B.
void check_side(const MatchCall& call, const SideWords& side, char letter) {
  const std::string flag = letter == 'A' ? "--image-a" : "--image-b";
  if (!side.image_name.empty() && !side.is_stored()) {
    throw WrongCall(fmt::format("{} has no effect, since {} is an image itself", flag, letter));
  }
  if (!side.image_name.empty() && call.output.empty() && call.job.verification.by != Verify::essential) {
    refuse_without_effect(flag, "without --output or --verify essential");
  }
  if (side.name_of_image().empty() && !call.output.empty()) {
    throw WrongCall(fmt::format("--output draws on images: name the image of {} with {}", letter, flag));
  }
  require_known_camera(call.job.verification, side.camera, !side.name_of_image().empty());
}

// Refuses options without effect, and outputs that cannot be made, before the work.
void check(const MatchCall& call, const SideWords& a, const SideWords& b) {
  require_one_standard_input({a.name, b.name, a.image_name, b.image_name});
  if (a.is_stored() && b.is_stored() && call.detector_given) {
    throw WrongCall("options of detectors have no effect on stored features, as A and B are");
  }
  if (a.name_of_image().empty() && b.name_of_image().empty() && call.reading_given) {
    throw WrongCall("--no-exif-rotation and --max-pixels have no effect on stored features, as A and B are");
  }
  check_side(call, a, 'A');
  check_side(call, b, 'B');
  if (call.output.empty()) return;
  if (is_standard_stream(call.output)) {
    if (call.json) refuse_standard_output("--json has no place there");
  } else {
    require_not_read(std::array<fs::path, 1>{call.output},
                     std::array<fs::path, 4>{a.name, b.name, a.image_name, b.image_name});
  }
  require_writable_image(call.output, true);
}

void print_json(const MatchCall& call, const Side& a, const Side& b, std::span<const Match> matches,
                const std::optional<EssentialModel>& model, double milliseconds) {
  Json json = {{"image_a", call.places.a},
               {"image_b", call.places.b},
               {"keypoint_count_a", a.features.size()},
               {"keypoint_count_b", b.features.size()},
               {"match_seconds", milliseconds / 1000}};
  if (model) json["verification"] = verification_json(call.job.verification.by, *model);
  json["matches"] = matches_json(a.features, b.features, matches, model ? &*model : nullptr);
  fmt::print("{}\n", json_text(json));
}

void print_text(const MatchCall& call, const Side& a, const Side& b, std::span<const Match> matches,
                const std::optional<EssentialModel>& model, double milliseconds) {
  fmt::print("keypoints A  {}\nkeypoints B  {}\nmatches      {}\n", a.features.size(), b.features.size(),
             matches.size());
  fmt::print("matching     {:.1f} ms\n", milliseconds);
  if (model) print_verification(call.job.verification.by, *model);
  if (!call.output.empty()) fmt::print("image        {}\n", call.output);
}

}  // namespace

int match_one_pair(const MatchCall& call) {
  const SideWords words_a{call.places.a, call.image_a, call.job.verification.camera},
      words_b{call.places.b, call.image_b, call.job.verification.second_camera()};
  check(call, words_a, words_b);
  Progress progress;
  DeviceOptions device = call.job.device;
  device.progress = progress.sink();
  progress.show("starting");
  std::optional<Extractor> extractor;
  if (!words_a.is_stored() || !words_b.is_stored()) extractor = make_extractor(call.job.detector, device);
  Matcher matcher(call.job.match, device);
  progress.show(call.places.a);
  const Side a = load(words_a, call, extractor);
  progress.show(call.places.b);
  const Side b = load(words_b, call, extractor);
  progress.show(fmt::format("matching {} x {} descriptors", a.features.size(), b.features.size()));
  const Stopwatch stopwatch;
  const std::vector<Match> matches = matcher.match(a.features, b.features);
  const double milliseconds = stopwatch.milliseconds();
  if (call.job.verification.by != Verify::none) progress.show("verifying");
  const auto model = verified(call.job.verification, a.features, a.facts(), b.features, b.facts(), matches);

  if (!call.output.empty()) {
    progress.show(call.output);
    const std::vector<std::uint8_t> inliers = model ? model->inliers : std::vector<std::uint8_t>();
    write_output_image(
        call.output,
        draw_matches(a.image->image.view(), a.features, b.image->image.view(), b.features, matches, inliers).view());
  }
  progress.clear();
  if (call.json) {
    print_json(call, a, b, matches, model, milliseconds);
  } else if (!is_standard_stream(call.output)) {
    print_text(call, a, b, matches, model, milliseconds);
  }
  if (!model || model->found) return exit_done;
  complain(fmt::format("the matches of {} and {} have no model: {}", call.places.a, call.places.b, model->reason));
  return exit_failed;
}

}  // namespace octavo::cli
