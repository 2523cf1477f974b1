// octavo bench: times Octavo's work on this machine. Each of its commands has its own file. This file holds what they
// share.

#include "cli/bench/bench.h"

#include <fmt/core.h>

#include <string>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/sizes.h"
#include "cli/wrong_call.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(time the work on this machine

Runs a job --warmup times without timing it, then --rounds times, and prints the
median and the quartiles of the wall time.)";

constexpr auto footer = R"(Examples:
  octavo bench extract photo.jpg --sizes 1920x1080
  octavo bench filter photo.jpg --sizes 640x640 --threads 1
  octavo bench match --descriptor-counts 2048,8192 --threads 1 --json
  octavo bench pyramid photo.jpg --preset tsp2023 -o pyramid.html
  octavo bench report photo.jpg -o report.html

Exit codes:
  0  done
  1  an image cannot be read
  2  the call was wrong)";

}  // namespace

const char* const bench_json_manual = R"(JSON:
  {"subject": "...", "keypoint_count": 2911, "device": "cpu",
   "isa": "avx512", "threads": 2, "median_seconds": 0.0415,
   "q1_seconds": 0.041, "q3_seconds": 0.0423, "run_seconds": [0.0415, ...],
   "stage_seconds": {"scale space and extrema": 0.0125, ...}}
One job gives this object, several jobs give an array of such objects. Times are
wall times. Stages have the median; a GPU's own clock measures them.

Exit codes:
  0  done
  1  an image cannot be read
  2  the call was wrong)";

void add_timing_options(Command& command, TimingOptions& timing, bool& json) {
  const std::string group = "Timing options";
  add_number(command, {.name = "rounds", .sentence = "Timed runs.", .symbol = "N", .low = 1, .high = 1e6},
             timing.rounds)
      .group(group);
  add_number(command,
             {.name = "warmup", .sentence = "Runs before the timed ones.", .symbol = "N", .low = 0, .high = 1e6},
             timing.warmup)
      .group(group);
  command.add_flag("--json", json, "Print JSON instead of text, see below.").group(group);
}

void add_benchmark_input(Command& command, BenchmarkInput& input) {
  command.add_option("IMAGE", input.places, "Images, folders of them, or quoted patterns.")
      .required()
      .type_name("FILE");
  add_read_options(command, input.read);
  add_sizes(
      command, "--sizes", input.sizes,
      "Scale each image until it covers W by H pixels and crop it to this size around its centre. Several sizes are "
      "separated by commas. Range of both: 1 to 65535.");
}

void print_times(bool json, const std::function<WorkReport(const ProgressSink& progress)>& measure) {
  Progress progress;
  const WorkReport report = measure(progress.sink());
  progress.clear();
  fmt::print("{}", json ? json_of(report) + "\n" : text_of(report));
}

void add_bench(Command& program, int& exit_code) {
  Command& bench = add_command(program, "bench", description, footer);
  bench.callback([&bench] {
    if (bench.chosen() == nullptr) throw WrongCall("no job given (see octavo bench --help)");
  });
  add_bench_extract(bench);
  add_bench_filter(bench);
  add_bench_match(bench);
  add_bench_pyramid(bench);
  add_bench_report(bench, exit_code);
}

}  // namespace octavo::cli
