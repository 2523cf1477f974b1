// octavo bench: how long the work takes on this machine. Its commands are in files of their own; here is what they
// share.

#include "cli/bench/bench.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/json_text.h"
#include "cli/options.h"
#include "cli/stopwatch.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(time the work on this machine

Runs a job a few times to warm up, then as often as asked, and prints the median
and the quartiles of the wall time.)";

constexpr auto footer = R"(Examples:
  octavo bench extract photo.jpg --resize 1920x1080
  octavo bench filter photo.jpg --resize 640x640 --threads 1
  octavo bench match --sizes 2048,8192 --threads 1 --json
  octavo bench report photo.jpg -o report.html

Exit codes:
  0  done
  1  an image cannot be read
  2  the call was wrong)";

// What the device does between upload and download.
double on_device(const std::vector<StageTime>& stages) {
  double sum = 0;
  for (const StageTime& stage : stages) {
    if (stage.stage != "upload" && stage.stage != "download" && stage.stage != "picture") sum += stage.milliseconds;
  }
  return sum;
}

double images_per_second(const BenchResult& result) { return 1000 / result.milliseconds.median; }

nlohmann::ordered_json as_json(const BenchResult& result, const BenchPlace& place) {
  auto stages = nlohmann::ordered_json::object();
  for (const StageTime& stage : result.stages) stages[stage.stage] = stage.milliseconds;
  nlohmann::ordered_json json{{"subject", result.subject},
                              {"median_ms", result.milliseconds.median},
                              {"q1_ms", result.milliseconds.q1},
                              {"q3_ms", result.milliseconds.q3}};
  if (result.keypoints) json["keypoints"] = *result.keypoints;
  json.update({{"device", place.device}, {"isa", place.isa}, {"threads", place.threads}, {"stages", stages}});
  if (!result.mode.empty()) json["mode"] = result.mode;
  if (result.of_images) json["images_per_s"] = images_per_second(result);
  if (!result.stages.empty()) json["on_device_ms"] = on_device(result.stages);
  if (!result.figures.json.is_null()) json.update(result.figures.json);
  return json;
}

void print_text(const BenchResult& result) {
  fmt::print("{}{}\n", result.subject, result.keypoints ? fmt::format(": {} keypoints", *result.keypoints) : "");
  fmt::print("  {:<24}{:>10.3f} ms  (quartiles {:.3f} to {:.3f})\n", "median", result.milliseconds.median,
             result.milliseconds.q1, result.milliseconds.q3);
  if (result.of_images) fmt::print("  {:<24}{:>10.1f}\n", "images per second", images_per_second(result));
  if (!result.stages.empty()) fmt::print("  {:<24}{:>10.3f} ms\n", "on the device", on_device(result.stages));
  for (const StageTime& stage : result.stages) {
    fmt::print("    {:<22}{:>10.3f} ms\n", stage.stage, stage.milliseconds);
  }
  for (const std::string& line : result.figures.text) fmt::print("  {}\n", line);
}

}  // namespace

const char* const bench_json_manual = R"(JSON:
  {"subject": "...", "median_ms": 41.5, "q1_ms": 41.0, "q3_ms": 42.3,
   "keypoints": 2911, "device": "cpu", "isa": "avx512", "threads": 2,
   "stages": {"scale space and extrema": 12.5, ...}}
One job: this object. Several: an array of them. Times are wall times in
milliseconds, medians; those of a GPU's stages are by its own clock.

Exit codes:
  0  done
  1  an image cannot be read
  2  the call was wrong)";

void add_bench_options(CLI::App& command, BenchOptions& options) {
  const std::string group = "Timing options";
  add_number(command, "--rounds", options.rounds, "N", "Timed runs. Range: 1 to 1000000.")
      ->check(CLI::Range(1, 1000000).description(""))
      ->group(group);
  add_number(command, "--warmup", options.warmup, "N", "Runs before the timed ones. Range: 0 to 1000000.")
      ->check(CLI::Range(0, 1000000).description(""))
      ->group(group);
  command.add_flag("--json", options.json, "Print JSON instead of text, see below.")->group(group);
}

std::vector<BenchResult> time_jobs(std::span<BenchJob> jobs, const BenchOptions& options) {
  // samples[job][stage] with the whole job as stage 0
  std::vector<std::vector<std::vector<double>>> samples(jobs.size());
  std::vector<BenchResult> results(jobs.size());
  for (int round = -options.warmup; round < options.rounds; ++round) {
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const Stopwatch stopwatch;
      jobs[i].run();
      const double total = stopwatch.milliseconds() / std::max(jobs[i].images, 1);
      const std::vector<StageTime> stages = jobs[i].stages ? jobs[i].stages() : std::vector<StageTime>();
      if (round < 0) continue;
      results[i].stages = stages;
      samples[i].resize(stages.size() + 1);
      samples[i][0].push_back(total);
      for (std::size_t s = 0; s < stages.size(); ++s) samples[i][s + 1].push_back(stages[s].milliseconds);
    }
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    BenchResult& result = results[i];
    result.subject = jobs[i].subject;
    result.keypoints = jobs[i].keypoints;
    result.figures = jobs[i].figures;
    result.mode = jobs[i].mode;
    result.of_images = jobs[i].images > 0;
    result.milliseconds = quartiles(samples[i][0]);
    for (std::size_t s = 0; s < result.stages.size(); ++s) {
      result.stages[s].milliseconds = quartiles(samples[i][s + 1]).median;
    }
  }
  return results;
}

void print_results(std::span<const BenchResult> results, const BenchPlace& place, bool json) {
  if (!json) {
    fmt::print("device {}, {}, {} threads\n", place.device, place.isa, place.threads);
    for (const BenchResult& result : results) print_text(result);
    return;
  }
  auto list = nlohmann::ordered_json::array();
  for (const BenchResult& result : results) list.push_back(as_json(result, place));
  fmt::print("{}\n", json_text(results.size() == 1 ? list.front() : list));
}

void add_bench(CLI::App& program) {
  CLI::App& bench = add_command(program, "bench", description, footer);
  bench.require_subcommand(0, 1);
  bench.callback([&bench] {
    if (bench.get_subcommands().empty()) throw CLI::ValidationError("no job given (see octavo bench --help)");
  });
  add_bench_extract(bench);
  add_bench_filter(bench);
  add_bench_match(bench);
  add_bench_report(bench);
}

}  // namespace octavo::cli
