#include "cli/estimate.h"

#include <algorithm>

#include "cli/command.h"

namespace octavo::cli {
CommandOption& add_estimate(Command& command, std::string_view work, CommandOption& output, bool& estimate) {
  const auto take = [&estimate, &output] {
    estimate = true;
    output.required(false);
  };
  return command.add_flag("--estimate", take).about(work).excludes(output);
}

int print_estimates(MemoryJob job, bool json, bool listed, const std::vector<std::string>& problems) {
  job.standard_input = read_standard_input;
  Work work(Work::Signal::ends_program);
  work.fail_all(problems);
  const std::vector<MemoryReport> reports = work.run(estimate_memory, job);
  std::string text = json && listed ? "[" : "";
  for (const MemoryReport& one : reports) {
    text += json ? (&one == &reports.front() ? "" : ",") + json_of(one) : text_of(one);
  }
  if (json) text += listed ? "]\n" : reports.empty() ? "" : "\n";
  print_whole(text, json);
  const bool all_fit = std::ranges::all_of(reports, &MemoryReport::fits);
  return all_fit ? work.exit_code() : exit_failed;
}

}  // namespace octavo::cli
