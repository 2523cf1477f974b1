// octavo bench: times Octavo's work on this machine. Each of its commands has its own file. This file holds what they
// share.

#include "cli/bench/bench.h"

#include "cli/command.h"
#include "cli/list.h"
#include "cli/progress.h"

namespace octavo::cli {

void add_timing_options(Command& command, TimingOptions& timing, bool& json) {
  add_number(command, {.name = "rounds", .low = 1, .high = 1e6}, timing.rounds);
  add_number(command, {.name = "warmup", .low = 0, .high = 1e6}, timing.warmup);
  command.add_flag("--json", json);
}

void add_benchmark_input(Command& command, BenchmarkInput& input) {
  command.add_option("IMAGE", input.places).required();
  add_read_options(command, input.read);
  add_sizes(command, "--sizes", input.sizes);
}

int print_times(bool json, const std::function<WorkReport(const ProgressSink& progress)>& measure) {
  Progress progress;
  const WorkReport report = measure(progress.sink());
  progress.clear();
  print_whole(json ? json_of(report) + "\n" : text_of(report), json);
  return exit_done;
}

int print_report(bool json, const std::filesystem::path& file, const char* kind,
                 const std::function<BenchmarkReport(const ProgressSink& progress)>& measure) {
  Progress progress;
  const BenchmarkReport report = measure(progress.sink());
  progress.clear();
  print_whole(json ? report.json + "\n" : report.text, json);
  if (!json && !file.empty()) fmt::print("{}  {}\n", kind, file.string());
  if (report.is_measured) return exit_done;
  complain("nothing was measured");
  return exit_failed;
}

void define_bench(Command& command) {
  command.add_commands("job", {bench_extract_command, bench_filter_command, bench_match_command, bench_pyramid_command,
                               bench_report_command});
}

}  // namespace octavo::cli
