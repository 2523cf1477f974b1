#pragma once

// What the commands below `octavo bench` share: their options, the timing of rounds, and the report of the times.

#include <CLI/App.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "octavo/benchmark.h"

namespace octavo::cli {

/// How often a job is timed, and whether its times are printed as JSON.
struct BenchOptions : TimingOptions {
  bool json = false;
};

/// Adds --rounds, --warmup, --json.
void add_bench_options(CLI::App& command, BenchOptions& options);

/// What a job reports besides its times.
struct BenchFigures {
  std::optional<nlohmann::ordered_json> json{};  ///< an object
  std::vector<std::string> text{};               ///< lines
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

/// Times the jobs and prints the results to the standard output.
void time_and_print(std::span<const BenchJob> jobs, const BenchPlace& place, const BenchOptions& options);

/// The section on JSON and exit codes in the manuals of the commands.
extern const char* const bench_json_manual;

void add_bench_extract(CLI::App& bench);
void add_bench_filter(CLI::App& bench);
void add_bench_match(CLI::App& bench);
void add_bench_report(CLI::App& bench);

}  // namespace octavo::cli
