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

constexpr std::array only_sift{"--preset", "--first-octave", "--max-octaves",        "--layers",
                               "--sigma",  "--assumed-blur", "--contrast-threshold", "--edge-threshold",
                               "--rank",   "--descriptor",   "--max-orientations",   "--upright"};
constexpr std::array only_foagdd{"--directions", "--verify-scales", "--rho", "--window", "--corner-threshold"};

template <class Names>
void refuse(const CLI::App& command, const Names& names, const std::string& detector) {
  for (const char* const name : names) {
    if (command.get_option(name)->count() > 0) {
      throw CLI::ValidationError(fmt::format("{} is of no use with --detector {}", name, detector));
    }
  }
}

void settle(const CLI::App& command, DetectorOptions& options) {
  if (options.detector == Detector::sift) return refuse(command, only_foagdd, "sift");
  refuse(command, only_sift, "foagdd");
  options.foagdd.max_features = options.sift.max_features;
  options.foagdd.grid = options.sift.grid;
  if (command.get_option("--luma")->count() > 0) options.foagdd.luma = options.sift.luma;
}

}  // namespace

void add_detector_options(CLI::App& command, DetectorOptions& options) {
  add_choice<Detector>(
      command, "--detector", options.detector, {{"sift", Detector::sift}, {"foagdd", Detector::foagdd}},
      "What the points are: SIFT's blobs of any size, after Lowe (2004), or FOAGDD's corners, after Zhang "
      "and Sun (2020). FOAGDD takes the options below, and --luma (by default bt601), --max-features and "
      "--grid.")
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
  command.parse_complete_callback([&command, &options] { settle(command, options); });
}

Extractor make_extractor(const DetectorOptions& options, const DeviceOptions& device) {
  if (options.detector == Detector::foagdd) return Foagdd(options.foagdd, device);
  return Extractor(options.sift, device);
}

}  // namespace octavo::cli
