// octavo bench: times Octavo's work on this machine. Each of its commands has its own file. This file holds what they
// share.

#include "cli/bench/bench.h"

#include <fmt/core.h>

#include <fstream>
#include <thread>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/wrong_call.h"
#include "io/json/json.h"
#include "study/benchmark/times_json.h"

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

// The sum of the stages' times, without upload and download [ms].
double on_device(const std::vector<StageTime>& stages) {
  double sum = 0;
  for (const StageTime& stage : stages) {
    if (stage.stage != "upload" && stage.stage != "download" && stage.stage != "image") sum += stage.milliseconds;
  }
  return sum;
}

double images_per_second(const JobTimes& times) { return 1000 / times.milliseconds.median; }

Json as_json(const BenchJob& job, const JobTimes& times, const BenchPlace& place) {
  Json json{{"subject", job.subject}};
  if (job.keypoints) json["keypoint_count"] = *job.keypoints;
  json.update({{"device", place.device}, {"isa", place.isa}, {"threads", place.threads}});
  json.update(times_json(times.runs, times.stages));
  if (!job.mode.empty()) json["mode"] = job.mode;
  if (job.of_images) json["images_per_second"] = images_per_second(times);
  if (!times.stages.empty()) json["on_device_seconds"] = on_device(times.stages) / 1000;
  if (job.figures.json) json.update(*job.figures.json);
  return json;
}

// "photo.jpg at 640x480, round 2 of 15".
std::string next_run(const BenchJob& job, std::size_t round, const BenchOptions& options) {
  const std::size_t warmup = static_cast<std::size_t>(options.warmup);
  const bool is_timed = round >= warmup;
  return fmt::format("{}, {} {} of {}", job.subject, is_timed ? "round" : "warm-up",
                     1 + (is_timed ? round - warmup : round), is_timed ? options.rounds : options.warmup);
}

void print_text(const BenchJob& job, const JobTimes& times) {
  fmt::print("{}{}\n", job.subject, job.keypoints ? fmt::format(": {} keypoints", *job.keypoints) : "");
  fmt::print("  {:<24}{:>10.3f} ms  (quartiles {:.3f} to {:.3f})\n", "median", times.milliseconds.median,
             times.milliseconds.q1, times.milliseconds.q3);
  if (job.of_images) fmt::print("  {:<24}{:>10.1f}\n", "images per second", images_per_second(times));
  if (!times.stages.empty()) fmt::print("  {:<24}{:>10.3f} ms\n", "on the device", on_device(times.stages));
  for (const StageTime& stage : times.stages) {
    fmt::print("    {:<22}{:>10.3f} ms\n", stage.stage, stage.milliseconds);
  }
  for (const std::string& line : job.figures.text) fmt::print("  {}\n", line);
}

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

std::string machine() {
  std::ifstream cpus("/proc/cpuinfo");
  std::string line, model = "unknown processor";
  while (std::getline(cpus, line)) {
    if (line.starts_with("model name")) {
      model = line.substr(line.find(':') + 2);
      break;
    }
  }
  return fmt::format("{}, {} threads", model, std::thread::hardware_concurrency());
}

void add_bench_options(Command& command, BenchOptions& options) {
  const std::string group = "Timing options";
  add_number(command, {.name = "rounds", .sentence = "Timed runs.", .symbol = "N", .low = 1, .high = 1e6},
             options.rounds)
      .group(group);
  add_number(command,
             {.name = "warmup", .sentence = "Runs before the timed ones.", .symbol = "N", .low = 0, .high = 1e6},
             options.warmup)
      .group(group);
  command.add_flag("--json", options.json, "Print JSON instead of text, see below.").group(group);
}

void time_and_print(std::span<const BenchJob> jobs, const BenchPlace& place, const BenchOptions& options,
                    Progress& progress) {
  std::vector<TimedJob> work;
  for (const BenchJob& job : jobs) work.push_back(job.work);
  const auto show = [&](std::size_t done, std::size_t total, std::size_t job) {
    progress.show(next_run(jobs[job], done / jobs.size(), options), done, total);
  };
  const std::vector<JobTimes> times = time_jobs(work, options, show);
  progress.clear();
  if (!options.json) {
    fmt::print("device {}, {}, {} threads\n", place.device, place.isa, place.threads);
    for (std::size_t i = 0; i < jobs.size(); ++i) print_text(jobs[i], times[i]);
    return;
  }
  auto list = Json::array();
  for (std::size_t i = 0; i < jobs.size(); ++i) list.push_back(as_json(jobs[i], times[i], place));
  fmt::print("{}\n", json_text(jobs.size() == 1 ? list.front() : list));
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
