// octavo evaluate: measures the quality of keypoints, descriptors and matches on images whose relation is known.

#include "cli/command.h"
#include "cli/evaluate/evaluate_call.h"

namespace octavo::cli {

void define_evaluate(Command& command) {
  const auto call = std::make_shared<EvaluateCallOf<EvaluateJob>>();
  command.add_option("ROOT", call->job.root);
  command.add_flag("--covisible-only", call->job.covisible_only);
  command.add_flag("--per-sequence", call->job.per_sequence);
  add_number(command, {.name = "examples", .low = 0, .high = 1000}, call->job.examples);
  command.add_option("--features", call->features);
  add_comparison_options(command, *call, call->job);
  call->can_refine = true;
  command.add_flag("--refine", call->base.refine);
  add_options(command, call->job.robust);
  command.add_commands("job", {evaluate_corners_command, evaluate_robustness_command, evaluate_crops_command});
  command.action = [call, &command] {
    if (call->job.root.empty()) throw WrongCall("octavo evaluate needs ROOT (see octavo evaluate --help)");
    if (call->json) refuse_if_given(command, "--per-sequence", "with --json");
    if (call->job.page.empty()) refuse_if_given(command, "--examples", "without --output");
    return evaluate_by(*call, call->job, [&](const auto& context) { return evaluate_dataset(call->job, context); });
  };
}

}  // namespace octavo::cli
