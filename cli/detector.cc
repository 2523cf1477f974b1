#include "cli/detector.h"

#include <fmt/core.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "cli/options.h"
#include "octavo/foagdd.h"

namespace octavo::cli {

namespace {

constexpr std::array of_sift{"--preset",
                             "--first-octave",
                             "--max-octaves",
                             "--layers",
                             "--sigma",
                             "--assumed-blur",
                             "--contrast-threshold",
                             "--edge-threshold",
                             "--rank",
                             "--smoothing",
                             "--trilateral-schedule",
                             "--trilateral-range",
                             "--trilateral-window"};
constexpr std::array of_foagdd{"--directions", "--verify-scales",   "--rho", "--window", "--corner-threshold",
                               "--describe",   "--descriptor-scale"};
constexpr std::array of_description{"--descriptor", "--max-orientations", "--upright", "--descriptor-scale"};

bool is_given(const CLI::App& command, const std::string& name) {
  const CLI::Option* const option = command.get_option_no_throw(name);
  return option != nullptr && option->count() > 0;
}

template <class Names>
void refuse(const CLI::App& command, const Names& names, const std::string& reason) {
  for (const char* const name : names) {
    if (is_given(command, name)) throw CLI::ValidationError(fmt::format("{} is of no use {}", name, reason));
  }
}

void settle(const CLI::App& command, DetectorOptions& options) {
  if (options.detector == Detector::sift) return refuse(command, of_foagdd, "with --detector sift");
  refuse(command, of_sift, "with --detector foagdd");
  FoagddOptions& foagdd = options.foagdd;
  if (!foagdd.describe) refuse(command, of_description, "with --detector foagdd without --describe");
  foagdd.descriptor = options.sift.descriptor;
  foagdd.max_orientations = options.sift.max_orientations;
  foagdd.upright = options.sift.upright;
  foagdd.max_features = options.sift.max_features;
  foagdd.grid = options.sift.grid;
  if (is_given(command, "--luma")) foagdd.luma = options.sift.luma;
}

}  // namespace

void add_detector_options(CLI::App& command, DetectorOptions& options) {
  add_choice<Detector>(
      command, "--detector", options.detector, {{"sift", Detector::sift}, {"foagdd", Detector::foagdd}},
      "What the points are: SIFT's blobs of any size, after Lowe (2004), or FOAGDD's corners, after Zhang "
      "and Sun (2020). FOAGDD takes its own options, --luma (by default bt601), --max-features, --grid, "
      "and the description options where corners are described.")
      ->group("Detection options");
  add_sift_options(command, options.sift);

  const std::string group = "FOAGDD options";
  FoagddOptions& foagdd = options.foagdd;
  add_number(command, "--directions", foagdd.directions, "K",
             "Directions in which the image is filtered. The measure of a corner grows with the contrast to the power "
             "2K - 2: another K wants another threshold. Range: 2 to 16.")
      ->group(group);
  add_number(
      command, "--verify-scales", foagdd.verify_scales, "N",
      "Scales at which a corner must exceed the threshold; 2 gives what the authors' published code gives, 3 what "
      "their paper says. Range: 1 to 5.")
      ->group(group);
  add_number(command, "--rho", foagdd.rho, "R", "How much longer than wide the filters are. Range: 1 to 4.")
      ->group(group);
  add_number(command, "--window", foagdd.window, "PX",
             "Diameter of the disc by which a pixel is judged, an odd number of pixels. Range: 3 to 11.")
      ->group(group);
  add_number(
      command, "--corner-threshold", foagdd.corner_threshold, "T",
      "Drop a corner if its response is not above T: the logarithm to base 10 of its measure. Range: -100 to 100.")
      ->group(group);
  if (!foagdd.describe) {
    command
        .add_flag("--describe", foagdd.describe,
                  "Give corners orientations and descriptors, so that they can be matched.")
        ->group(group);
  }
  add_number(command, "--descriptor-scale", foagdd.descriptor_scale, "PX",
             "Blur of the image in which corners are described: the scale of the keypoints. Range: 1.6 to 8.")
      ->group(group);
  command.parse_complete_callback([&command, &options] { settle(command, options); });
}

Extractor make_extractor(const DetectorOptions& options, const DeviceOptions& device) {
  if (options.detector == Detector::foagdd) return Foagdd(options.foagdd, device);
  return Extractor(options.sift, device);
}

}  // namespace octavo::cli
