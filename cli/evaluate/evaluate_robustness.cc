// octavo evaluate robustness: measures how keypoints and matches withstand changes of the user's own photographs.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/evaluate/evaluate_call.h"
#include "cli/evaluate/metrics_manual.h"
#include "cli/list.h"
#include "cli/options.h"
#include "study/evaluate/distortion.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(compare configurations on photographs that change

Rotates, scales, shears, tilts and mirrors each photograph, adds noise, blurs
it, changes its contrast and brightness and compresses it, each at several
strengths, and matches the photograph with every changed image. Reports how
precision and the number of matches fall with the strength of the change.)";

const std::string footer = std::string(R"(Changes, each at several strengths:
  rotation     15 to 180 degrees       noise       sigma 2 to 40 grey levels
  scale        factor 0.25 to 4        blur        sigma 0.5 to 6 pixels
  shear        0.1 to 1 px per px      contrast    grey levels times 1/16 to 2
  perspective  0.1 to 0.6, the change  brightness  -128 to 128 grey levels added
               of scale from the       jpeg        quality 90 to 10
               centre to the edge
  mirror       on a line of 0 to 150 degrees. SIFT is not made for mirrored
               images: points are found again, but their descriptors differ
A changed image shows nothing but the photograph: it is cropped to the largest
rectangle of the photograph's proportions that the photograph fills. Keypoints
of the photograph that the changed image does not show are dropped before
--max-features counts them.

)") + metrics_manual + R"(

JSON:
  {"images": ["photo.jpg"], "noise_seed": 0, "octavo": "0.1.0",
   ... as `octavo evaluate` has it, "thresholds", "overlap_errors",
   "configurations": [{"name": "octavo", ...,
     "curves": [{"kind": "rotation", "unit": "degrees", "points": [
       {"strength": 15, "pair_count": 1, "keypoint_count",
        "repeatability": [10 numbers],
        ... as `octavo evaluate` has it in a summary}]}],
     "pairs": [{"image_a": "v_photo_rotation/1.png",
       "image_b": "v_photo_rotation/2.png", "photograph": "photo.jpg",
       "kind": "rotation", "strength": 15, ... as there}]}],
   "problems": ["..."], "warnings": ["..."]}

Examples:
  octavo evaluate robustness photo.jpg --max-features 1000
  octavo evaluate robustness photos/*.jpg --kinds rotation,scale -o report.html
  octavo evaluate robustness photo.jpg --images made
  octavo evaluate made --covisible-only      # has the same numbers

Exit codes:
  0  done
  1  something could not be evaluated, see the error stream; the rest is done
  2  the call was wrong)";

struct Call : EvaluateCall {
  RobustnessJob job;
};

}  // namespace

void add_evaluate_robustness(Command& evaluate, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(evaluate, "robustness", description, footer);
  command.add_option("IMAGE", call->job.photographs, "Photographs, folders of them, or quoted patterns.")
      .required()
      .type_name("FILE");
  std::vector<std::string> names;
  for (const Distortion& kind : distortions()) names.emplace_back(kind.name);
  add_list(
      command, "--kinds", [call](const std::vector<std::string>& kinds) { call->job.kinds = kinds; },
      fmt::format("The changes to make, separated by commas: {}. Default: all.", fmt::join(names, ", ")))
      .type_name("KIND,...");
  command
      .add_option("--images", call->job.made,
                  "Write the images and their homographies to this folder, as a data set for `octavo evaluate`.")
      .type_name("DIR")
      .group("Output options");
  add_noise_seed(command, call->job.noise_seed);
  add_comparison_options(command, *call, call->job);
  add_refine_option(command, call->words);
  add_robust_options(command, call->job.robust);
  command.callback([call, &command, &evaluate, &exit_code] {
    require_none_before(evaluate, "robustness");
    const bool is_noisy = call->job.kinds.empty() || std::ranges::count(call->job.kinds, "noise") > 0;
    if (!is_noisy) refuse_if_given(command, "--noise-seed", "without the change noise");
    exit_code =
        evaluate_by(*call, call->job, [&](const auto& context) { return evaluate_robustness(call->job, context); });
  });
}

}  // namespace octavo::cli
