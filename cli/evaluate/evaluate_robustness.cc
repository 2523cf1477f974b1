// octavo evaluate robustness: measures how keypoints and matches withstand changes of the user's own photographs.

#include <fmt/ranges.h>

#include <algorithm>

#include "cli/command.h"
#include "cli/evaluate/evaluate_call.h"
#include "cli/list.h"
#include "study/evaluate/distortion.h"

namespace octavo::cli {

void define_evaluate_robustness(Command& command) {
  const auto call = std::make_shared<EvaluateCallOf<RobustnessJob>>();
  command.add_option("IMAGE", call->job.photographs).required();
  std::vector<std::string> names;
  for (const Distortion& kind : distortions()) names.emplace_back(kind.name);
  add_list(command, "--kinds", call->job.kinds).about(fmt::format("{}", fmt::join(names, ", ")));
  command.add_option("--images", call->job.made);
  add_noise_seed(command, call->job.noise_seed);
  add_comparison_options(command, *call, call->job);
  call->can_refine = true;
  command.add_flag("--refine", call->base.refine);
  add_options(command, call->job.robust);
  command.action = [call, &command] {
    const bool is_noisy = call->job.kinds.empty() || std::ranges::count(call->job.kinds, "noise") > 0;
    if (!is_noisy) refuse_if_given(command, "--noise-seed", "without the change noise");
    return evaluate_by(*call, call->job, [&](const auto& context) { return evaluate_robustness(call->job, context); });
  };
}

}  // namespace octavo::cli
