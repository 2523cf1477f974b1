// octavo evaluate corners: compares the corners of a detector, and those of other programs, with labelled corners.

#include "cli/command.h"
#include "cli/evaluate/evaluate_call.h"

namespace octavo::cli {

void define_evaluate_corners(Command& command) {
  const auto call = std::make_shared<EvaluateCallOf<CornerJob>>();
  call->base.detector = {};  // with the usual budget
  command.add_option("ROOT", call->job.root).required();
  add_number(command, {.name = "tolerance", .low = 0.001, .high = 1000}, call->job.tolerance);
  add_output_options(command, *call, call->job);
  command.add_flag("--per-image", call->job.per_image);
  add_read_options(command, call->job.read);
  command.add_option("--features", call->features);
  add_detector_options(command, call->base.detector, Descriptors::on_request);
  add_device_options(command, call->job.device);
  command.action = [call, &command] {
    if (call->json) refuse_if_given(command, "--per-image", "with --json");
    return evaluate_by(*call, call->job, [&](const auto& context) { return evaluate_corners(call->job, context); });
  };
}

}  // namespace octavo::cli
