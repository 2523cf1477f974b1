#pragma once

// What the commands below `octavo bench` share: their options, the timing of rounds, and the report of the times.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/json/json.h"
#include "octavo/device.h"
#include "study/benchmark/benchmark.h"

namespace octavo::cli {

class Command;
class Progress;

/// How often a job is timed, and whether its times are printed as JSON.
struct BenchOptions : TimingOptions {
  bool json = false;
};

/// Adds --rounds, --warmup, --json.
void add_bench_options(Command& command, BenchOptions& options);

/// What a job reports besides its times.
struct BenchFigures {
  std::optional<Json> json{};       ///< an object
  std::vector<std::string> text{};  ///< lines
};

/// A job to time.
struct BenchJob {
  std::string subject;                     ///< the input of the job, in words
  std::optional<std::size_t> keypoints{};  ///< their number, if the job finds or matches keypoints
  std::string mode{};                      ///< the value of --mode, if the command has this option
  bool of_images = false;                  ///< whether the parts of the work are images
  BenchFigures figures{};
  TimedJob work;
};

/// Where the jobs ran, as an extractor or matcher reports it.
struct BenchPlace {
  template <typename Engine>
  explicit BenchPlace(const Engine& engine) : device(engine.device()), isa(engine.isa()), threads(engine.threads()) {}

  std::string device, isa;
  int threads;
};

/// Makes an engine to time. `make` makes it with device options. An engine on a GPU tells its steps to
/// `device.progress`, so that the first use of a driver is not silent. These are a few calls for an image, each of
/// which notes a few words, in less than a microsecond. An engine on the CPU would tell every piece of its loops, so it
/// tells nothing.
template <typename Make>
auto engine_to_time(DeviceOptions device, const Make& make) {
  auto engine = make(device);
  const bool is_on_cpu = engine.device() == "cpu" || engine.device() == "reference";
  if (!is_on_cpu || !device.progress) return engine;
  device.progress = {};
  return make(device);
}

/// Times the jobs, shows the rounds, and prints the results to the standard output. Clears the line of progress.
///
/// The line does not change the times. What is next is noted before a run's clock starts. The thread that draws the
/// line writes less than 200 bytes twice a second, which takes some microseconds, and sleeps otherwise. It draws
/// nothing if the error stream is not a terminal.
void time_and_print(std::span<const BenchJob> jobs, const BenchPlace& place, const BenchOptions& options,
                    Progress& progress);

/// The processor and its number of threads, for reports.
std::string machine();

/// The section on JSON and exit codes in the manuals of the commands.
extern const char* const bench_json_manual;

void add_bench_extract(Command& bench);
void add_bench_filter(Command& bench);
void add_bench_match(Command& bench);
void add_bench_pyramid(Command& bench);
void add_bench_report(Command& bench, int& exit_code);

}  // namespace octavo::cli
