// Two pictures, or stored features, and the matches between them.

#include <fmt/core.h>

#include <CLI/App.hpp>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/complaint.h"
#include "cli/json_text.h"
#include "cli/match/match_call.h"
#include "cli/match/verification.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/standard_streams.h"
#include "octavo/extractor.h"
#include "octavo/imageio.h"
#include "octavo/output_file.h"
#include "octavo/stopwatch.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

// One of the two, with its picture if there is one.
struct Side {
  std::optional<Image> image;
  Features features;

  [[nodiscard]] std::optional<ImageSize> size() const {
    if (!image) return std::nullopt;
    return ImageSize{image->width(), image->height()};
  }
};

Side load(const std::string& name, const std::string& image_name, const MatchCall& call,
          std::optional<Extractor>& extractor) {
  Side side;
  if (!is_features_file(name)) {
    side.image = read_picture(name, call.read);
    side.features = extractor->extract(side.image->view());
    return side;
  }
  side.features = read_npz_features(name);
  if (!image_name.empty()) side.image = read_picture(image_name, call.read);
  return side;
}

// Refuses options without effect, and outputs that cannot be made, before the work.
void check(const MatchCall& call) {
  require_one_standard_input({call.a, call.b});
  const bool stored_a = is_features_file(call.a), stored_b = is_features_file(call.b);
  const bool draws = !call.output.empty();
  if (stored_a && stored_b && call.detector_given) {
    throw CLI::ValidationError("options of detectors have no effect on stored features: A and B are .npz files");
  }
  const auto check_image = [&](const char* flag, const std::string& image, bool stored, const char* letter) {
    const bool is_of_use = draws || call.verify == Verify::essential;
    if (!image.empty() && !stored) {
      throw CLI::ValidationError(fmt::format("{} has no effect, since {} is a picture itself", flag, letter));
    }
    if (!image.empty() && !is_of_use) {
      refuse_without_effect(flag, "without --output or --verify essential");
    }
    if (image.empty() && stored && draws) {
      throw CLI::ValidationError(
          fmt::format("--output draws on pictures: name the picture of {} with {}", letter, flag));
    }
  };
  check_image("--image-a", call.image_a, stored_a, "A");
  check_image("--image-b", call.image_b, stored_b, "B");
  require_principal_points(call, (!stored_a || !call.image_a.empty()) && (!stored_b || !call.image_b.empty()));
  if (!draws) return;
  const std::array<fs::path, 1> written{call.output};
  require_not_read(written, std::array<fs::path, 4>{call.a, call.b, call.image_a, call.image_b});
  require_writable_pictures(written, true);
}

}  // namespace

int match_one_pair(const MatchCall& call) {
  check(call);
  Progress progress;
  DeviceOptions device = call.device;
  device.progress = progress.sink();
  progress.show("starting");
  std::optional<Extractor> extractor;
  if (!is_features_file(call.a) || !is_features_file(call.b)) extractor = make_extractor(call.detector, device);
  Matcher matcher(call.match, device);
  progress.show(call.a);
  const Side a = load(call.a, call.image_a, call, extractor);
  progress.show(call.b);
  const Side b = load(call.b, call.image_b, call, extractor);
  progress.show(fmt::format("matching {} x {} descriptors", a.features.size(), b.features.size()));
  const Stopwatch stopwatch;
  const std::vector<Match> matches = matcher.match(a.features, b.features);
  const double milliseconds = stopwatch.milliseconds();
  if (call.verify != Verify::none) progress.show("verifying");
  const auto model = verified(call, a.features, a.size(), b.features, b.size(), matches);

  if (!call.output.empty()) {
    progress.show(call.output);
    const std::vector<std::uint8_t> inliers = model ? model->inliers : std::vector<std::uint8_t>();
    write_image(call.output,
                draw_matches(a.image->view(), a.features, b.image->view(), b.features, matches, inliers).view());
  }
  progress.clear();
  if (call.json) {
    nlohmann::ordered_json json = {
        {"keypoints_a", a.features.size()}, {"keypoints_b", b.features.size()}, {"milliseconds", milliseconds}};
    if (model) json["verification"] = verification_json(call.verify, *model);
    json["matches"] = matches_json(a.features, b.features, matches, model);
    fmt::print("{}\n", json_text(json));
  } else {
    fmt::print("keypoints A  {}\nkeypoints B  {}\nmatches      {}\n", a.features.size(), b.features.size(),
               matches.size());
    fmt::print("matching     {:.1f} ms\n", milliseconds);
    if (model) print_verification(call.verify, *model);
    if (!call.output.empty()) fmt::print("picture      {}\n", call.output);
  }
  if (!model || model->found) return exit_done;
  complain(fmt::format("the matches of {} and {} have no model: {}", call.a, call.b, model->reason));
  return exit_failed;
}

}  // namespace octavo::cli
