// octavo evaluate: measures the quality of keypoints, descriptors and matches on images whose relation is known.

#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/evaluate/evaluate_call.h"
#include "cli/evaluate/metrics_manual.h"
#include "cli/options.h"
#include "cli/wrong_call.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(compare configurations on images whose relation is known

Finds and matches the keypoints of the images of a data set and compares them
with the truth: repeatability, matching accuracy, correct matches, precision and
homographies. Several configurations of Octavo, and features of other programs,
are compared in one run, on the same pairs and at equal budgets
(--max-features). octavo evaluate robustness makes such images from your own
photographs, and octavo evaluate crops matches photographs with crops of them.
octavo evaluate corners compares corners with labelled ones.)";

const std::string footer = std::string(
                               R"(Data sets: ROOT is a sequence, or contains some at any depth. A folder holds:
  img1.ppm img2.ppm ... H1to2p ...   Oxford affine
  1.ppm 2.ppm ... H_1_2 ...          HPatches; i_NAME, v_NAME are reported apart
  1/NAME.png 2/NAME.png h/NAME.txt   EVD
  01.png 02.png corrs.txt            WxBS
  two images, correspondences.txt    lines x y in A, x y in B; commas in .csv;
                                     (0, 0) is the centre of the first pixel
H files hold nine numbers, row by row, that map image 1 to image N. Images may
have any format that Octavo reads. The command reports files that are missing or
broken, and evaluates the rest.

)") + metrics_manual + R"(

JSON:
  {"root": "...", "octavo": "0.1.0", "date": "2026-11-21",
   "exif_rotation": true, "covisible_only": false,
   "robust": {"method", "threshold", "confidence", "max_iterations", "seed"},
   "thresholds": [1, ..., 10], "overlap_errors": [0.1, ..., 0.6],
   "configurations": [{"name": "octavo",
     "arguments": "as --configuration gave them", ...,
     "summary": {"all": {"pair_count": 5, "keypoint_count": 1985.5,
       "repeatability": [10 numbers], "correspondence_share",
       "matching_accuracy": [...], "match_count", "correct_counts": [...],
       "precision": [...], "matching_score", "homography_count",
       "homography_accuracy": [...], "homography_auc": [...], "region_count",
       "region_repeatability": [6 numbers],
       "corresponding_region_counts": [...]},
       "illumination": {...}, "viewpoint": {...}},
     "sequences": [{"name": "v_wall", ... as a summary}],
     "pairs": [{"sequence": "v_wall", "image_a": "v_wall/1.ppm",
       "image_b": "v_wall/2.ppm", the counts and shares of the pair,
       "homography": [3 rows], "corner_error"}]}],
   "problems": ["..."], "warnings": ["..."]}
Shares are from 0 to 1. Entry i of a list is for i + 1 px, or for the overlap
error (i + 1) / 10. Means over no pairs are null.

Examples:
  octavo evaluate hpatches/ --max-features 2000 -o report.html
  octavo evaluate graf/ --configuration sift: \
      --configuration 'root: --descriptor rootsift'
  octavo evaluate graf/ --configuration sift: \
      --configuration 'corners: --detector foagdd'
  octavo evaluate hpatches/ --features opencv=opencv_npz --max-features 2000

Exit codes:
  0  done
  1  something could not be evaluated, see the error stream; the rest is done
  2  the call was wrong)";

struct Call : EvaluateCall {
  EvaluateJob job;
};

}  // namespace

void add_evaluate(Command& program, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(program, "evaluate", description, footer);
  command.add_option("ROOT", call->job.root, "The folder of a data set, see below.").type_name("DIR");
  command
      .add_flag("--covisible-only", call->job.covisible_only,
                "Drop keypoints outside the region that both images of a pair show, before --max-features counts "
                "them, as `octavo evaluate robustness` does. The numbers of the literature are without this option.")
      .group("Selection options");
  command.add_flag("--per-sequence", call->job.per_sequence, "Print a table for each sequence too. Not with --json.")
      .group("Output options");
  add_number(
      command,
      {.name = "examples",
       .sentence = "Pairs whose matches the page shows: the best, the worst and some between them, by precision. "
                   "Only with --output.",
       .symbol = "N",
       .low = 0,
       .high = 1000},
      call->job.examples)
      .group("Output options");
  add_features_option(command, call->words);
  add_comparison_options(command, *call, call->job);
  add_refine_option(command, call->words);
  add_robust_options(command, call->job.robust);
  add_evaluate_corners(command, exit_code);
  add_evaluate_robustness(command, exit_code);
  add_evaluate_crops(command, exit_code);
  command.callback([call, &command, &exit_code] {
    if (command.chosen() != nullptr) return;
    if (call->job.root.empty()) throw WrongCall("octavo evaluate needs ROOT (see octavo evaluate --help)");
    if (call->json) refuse_if_given(command, "--per-sequence", "with --json");
    if (call->job.page.empty()) refuse_if_given(command, "--examples", "without --output");
    exit_code =
        evaluate_by(*call, call->job, [&](const auto& context) { return evaluate_dataset(call->job, context); });
  });
}

}  // namespace octavo::cli
