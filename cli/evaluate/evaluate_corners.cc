// octavo evaluate corners: compares the corners of a detector, and those of other programs, with labelled corners.

#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/detector.h"
#include "cli/evaluate/evaluate_call.h"
#include "cli/options.h"

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

struct Call : EvaluateCall {
  Call() { detector = {}; }  // with the usual budget

  CornerJob job;
};

}  // namespace

void add_evaluate_corners(Command& evaluate, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(evaluate, "corners", description, footer);
  command.add_option("ROOT", call->job.root, "The folder of the images and their corners, see below.")
      .required()
      .type_name("DIR");
  add_number(command,
             {.name = "tolerance",
              .sentence = "Largest distance of a corner from a labelled corner that it matches, in pixels.",
              .symbol = "T",
              .low = 0.001,
              .high = 1000},
             call->job.tolerance);
  add_output_options(command, *call, call->job);
  command.add_flag("--per-image", call->job.per_image, "Print a row for each image too. Not with --json.")
      .group("Output options");
  add_read_options(command, call->job.read);
  add_features_option(command, call->words);
  add_detector_options(command, call->detector, Descriptors::on_request);
  add_device_options(command, call->job.device);
  command.callback([call, &command, &evaluate, &exit_code] {
    require_none_before(evaluate, "corners");
    if (call->json) refuse_if_given(command, "--per-image", "with --json");
    exit_code =
        evaluate_by(*call, call->job, [&](const auto& context) { return evaluate_corners(call->job, context); });
  });
}

}  // namespace octavo::cli
