#pragma once

// What the commands below `octavo bench` share: how rounds are timed, and how their times are told.

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/bench/quartiles.h"
#include "octavo/extractor.h"

namespace octavo::cli {

/// How often a job is timed.
struct BenchOptions {
  int rounds = 15;
  int warmup = 3;
  bool json = false;
};

/// --rounds, --warmup, --json.
void add_bench_options(CLI::App& command, BenchOptions& options);

/// What a job tells besides its times.
struct BenchFigures {
  nlohmann::ordered_json json{};    ///< an object, or null where there are none
  std::vector<std::string> text{};  ///< lines
};

/// Something to time.
struct BenchJob {
  std::string subject;                     ///< what it works on, for people
  std::optional<std::size_t> keypoints{};  ///< where the work is about them
  std::string mode{};                      ///< how it works, if there are several ways
  int images = 0;  ///< how many one run goes through; its time is shared among them. 0: it is not about images
  BenchFigures figures{};
  std::function<void()> run;
  /// Does the job once more, not timed as a whole, and gives the times of its stages; null where there are none.
  std::function<std::vector<StageTime>()> stages{};
};

/// The times of a job.
struct BenchResult {
  std::string subject;
  std::optional<std::size_t> keypoints;
  std::string mode;
  bool of_images = false;
  BenchFigures figures;
  Quartiles milliseconds;         ///< of a run, or of an image
  std::vector<StageTime> stages;  ///< the median of each
};

/// Times the jobs, round by round in turn, so that a noisy moment of the machine falls on all of them.
std::vector<BenchResult> time_jobs(std::span<BenchJob> jobs, const BenchOptions& options);

/// Where the jobs ran, as an extractor or matcher tells it.
struct BenchPlace {
  template <typename Engine>
  explicit BenchPlace(const Engine& engine) : device(engine.device()), isa(engine.isa()), threads(engine.threads()) {}

  std::string device, isa;
  int threads;
};

/// Prints the results on the standard output.
void print_results(std::span<const BenchResult> results, const BenchPlace& place, bool json);

/// What the manuals of the commands say about JSON.
extern const char* const bench_json_manual;

void add_bench_extract(CLI::App& bench);
void add_bench_filter(CLI::App& bench);
void add_bench_match(CLI::App& bench);
void add_bench_report(CLI::App& bench);

}  // namespace octavo::cli
