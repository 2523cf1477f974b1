// The parts that all kinds of evaluation have in common.

#include "cli/evaluate/evaluate_call.h"

#include <limits>

#include "cli/command.h"
#include "io/files/one_line.h"

namespace octavo::cli {

void add_output_options(Command& command, EvaluateCall& call, EvaluationSettings& settings) {
  command.add_option("-o,--output", settings.page);
  command.add_flag("--json", call.json);
}

void add_comparison_options(Command& command, EvaluateCall& call, EvaluationSettings& settings) {
  add_output_options(command, call, settings);
  add_read_options(command, settings.read);
  command.add_option("--configuration", call.configurations);
  add_detector_options(command, call.base.detector, Descriptors::if_any);
  // What has no effect in the options of the command line may have one in a configuration.
  command.check = [&command, &call] { require_effects_of(command, call); };
  add_match_options(command, call.base.match);
  add_device_options(command, settings.device);
}

void add_noise_seed(Command& command, std::uint64_t& seed) {
  add_number(command, {.name = "noise_seed", .low = 0, .high = std::numeric_limits<std::uint32_t>::max()}, seed);
}

int evaluate_by(const EvaluateCall& call, EvaluationSettings& settings,
                const std::function<EvaluationReport(const JobContext&)>& job) {
  settings.configurations = configurations_of(call);
  Work work(Work::Signal::ends_program);
  JobContext context = work.context();
  context.warn = [&](const std::string& sentence) { work.warn("warning: " + sentence); };
  const EvaluationReport report = job(context);
  work.progress().clear();
  if (call.json) {
    print_whole(report.json + "\n", true);
  } else {
    fmt::print("{}", report.tables);
    if (report.has_page) fmt::print("page  {}\n", io::on_one_line(settings.page.string()));
  }
  return work.exit_code();
}

}  // namespace octavo::cli
