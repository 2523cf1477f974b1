#pragma once

// What the commands of `octavo evaluate` have in common: options, configurations and the end.

#include <cstdint>
#include <functional>

#include "cli/command_line.h"
#include "cli/detector.h"
#include "cli/evaluate/configuration.h"
#include "octavo/jobs/evaluate_jobs.h"

namespace octavo::cli {

struct EvaluateCall : Comparison {
  bool json = false;
};

/// The same with the job of a command.
template <class Job>
struct EvaluateCallOf : EvaluateCall {
  Job job;
};

/// Adds --output and --json.
void add_output_options(Command& command, EvaluateCall& call, EvaluationSettings& settings);

/// Adds these and the options of reading, configurations, detectors, matching and devices.
void add_comparison_options(Command& command, EvaluateCall& call, EvaluationSettings& settings);

/// Adds --noise-seed.
void add_noise_seed(Command& command, std::uint64_t& seed);

/// Does a job with the configurations of the call: prints JSON or tables, the name of the page, and to the error stream
/// what the job tells. Returns the exit code. Throws WrongCall, Error.
int evaluate_by(const EvaluateCall& call, EvaluationSettings& settings,
                const std::function<EvaluationReport(const JobContext&)>& job);

}  // namespace octavo::cli
