// octavo evaluate corners: compares the corners of a detector, and those of other programs, with labelled corners.

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <array>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/detector.h"
#include "cli/evaluate/evaluate_call.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/wrong_call.h"
#include "io/files/output_file.h"
#include "study/evaluate/corner_truth.h"
#include "study/evaluate/evaluation_page.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(compare corners with labelled corners

Finds the corners of images whose corners a person has labelled, and reports
precision, recall and localisation error, for any detector and for the corners
of other programs, as Zhang and Sun (IJCV 128, 2020) compare detectors.)";

constexpr auto footer = R"(Data sets: beside an image NAME.png (of any format that Octavo reads) lies a
file NAME.corners.txt, at any depth below ROOT. Each line holds x and y of a
corner in pixels; (0, 0) is the centre of the first pixel. Lines that begin with
# are skipped. Images without such a file are not used.

A labelled corner and a detected corner match if they are at most --tolerance
apart. Matches are one to one: the nearest pairs first. Several keypoints at one
place are one corner.
  precision  matched over detected, in percent
  recall     matched over labelled, in percent
  error      localisation error: the root of the mean squared distance of the
             matched pairs, in pixels
Numbers of a configuration are those of all images together.

JSON:
  {"root": "...", "octavo": "0.1.0", "date": "2026-11-21", "tolerance": 4,
   "configurations": [{"name": "octavo", ...,
     "summary": {"labelled_count": 59, "detected_count": 61,
       "matched_count": 55, "missed_count": 4, "false_count": 6,
       "precision": 0.9, "recall": 0.93, "localisation_error": 1.1},
     "images": [{"image": "lab.png", ... as the summary}]}],
   "problems": ["..."]}
Shares are from 0 to 1. Shares of nothing are null.

Examples:
  octavo evaluate corners labelled/ --detector foagdd
  octavo evaluate corners labelled/ --detector foagdd --verify-scales 2 --json
  octavo evaluate corners labelled/ --detector foagdd --features harris=npz \
      -o corners.html

Exit codes:
  0  done
  1  something could not be evaluated, see the error stream; the rest is done
  2  the call was wrong)";

struct Call {
  std::string root;
  ReadOptions read;
  std::string output;  // the page; empty: none
  double tolerance = usual_corner_tolerance;
  bool json = false, per_image = false;
  ConfigurationArguments words;
  DetectorOptions detector;
  DeviceOptions device;
};

void write_page_of(const Call& call, const CornerEvaluation& evaluation, Progress& progress) {
  if (call.output.empty()) return;
  progress.show(call.output);  // the images of a page may be large
  write_file(call.output, html_of(corner_page(evaluation)));
  progress.clear();
  if (!call.json) fmt::print("page  {}\n", call.output);
}

// Refuses to write the page over an image.
void require_other_page(const Call& call, const CornerDataset& dataset) {
  std::vector<std::filesystem::path> read;
  for (const LabelledImage& image : dataset.images) read.push_back(call.root / image.image);
  require_not_read(std::array<std::filesystem::path, 1>{call.output}, read);
}

int run(const Call& call) {
  if (!call.output.empty()) require_writable_page(call.output);
  const std::vector<Configuration> configurations = configurations_of(call.words, call.detector, {});
  Progress progress;
  DeviceOptions device = call.device;
  device.progress = progress.sink();
  std::vector<Pipeline> pipelines;
  for (const Configuration& configuration : configurations) pipelines.push_back(pipeline_of(configuration, device));
  const auto show = [&](std::size_t done, std::size_t total, const std::filesystem::path& next) {
    progress.show(next.string(), done, total);
  };
  const CornerDataset dataset = find_labelled_images(call.root);
  require_other_page(call, dataset);
  const CornerComparison comparison = compare_corners(
      dataset, call.root, pipelines, {.tolerance = call.tolerance, .read = call.read, .progress = show});
  progress.clear();
  const CornerEvaluation evaluation{.version = OCTAVO_VERSION,
                                    .date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))),
                                    .root = call.root,
                                    .tolerance = call.tolerance,
                                    .read = call.read,
                                    .configurations = configurations,
                                    .comparison = comparison};
  if (call.json) {
    fmt::print("{}\n",
               corner_json(call.root, configurations, comparison, call.tolerance, evaluation.version, evaluation.date));
  } else {
    fmt::print("{}", text_of(corner_table(configurations, comparison)));
    if (call.per_image) fmt::print("\n{}", text_of(corner_image_table(configurations, comparison)));
  }
  write_page_of(call, evaluation, progress);
  return complain_of(comparison.problems, {});
}

}  // namespace

void add_evaluate_corners(Command& evaluate, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(evaluate, "corners", description, footer);
  command.add_option("ROOT", call->root, "The folder of the images and their corners, see below.")
      .required()
      .type_name("DIR");
  add_number(command,
             {.name = "tolerance",
              .sentence = "Largest distance of a corner from a labelled corner that it matches, in pixels.",
              .symbol = "T",
              .low = 0.001,
              .high = 1000},
             call->tolerance);
  add_read_options(command, call->read);
  add_features_option(command, call->words);
  add_detector_options(command, call->detector, Descriptors::on_request);
  add_device_options(command, call->device);
  command
      .add_option("-o,--output", call->output,
                  "Write a page with tables, plots and the corners on the images (.html) to this file. It needs only "
                  "a browser.")
      .type_name("FILE")
      .group("Output options");
  command.add_flag("--per-image", call->per_image, "Print a row for each image too. Not with --json.")
      .group("Output options");
  command.add_flag("--json", call->json, "Print JSON instead of tables, see below.").group("Output options");
  command.callback([call, &command, &evaluate, &exit_code] {
    for (const auto& option : evaluate.options()) {
      if (option->count() > 0) {
        throw WrongCall(option->name() + " stands before corners, but must stand behind it");
      }
    }
    if (call->json) refuse_if_given(command, "--per-image", "with --json");
    exit_code = run(*call);
  });
}

}  // namespace octavo::cli
