#pragma once

// What the commands below `octavo bench` share: their options, and how their times are printed.

#include <filesystem>
#include <functional>

#include "cli/command_line.h"
#include "octavo/device.h"
#include "study/benchmark/benchmark_reports.h"
#include "study/benchmark/work_benchmarks.h"

namespace octavo::cli {

/// Adds --rounds, --warmup, --json.
void add_timing_options(Command& command, TimingOptions& timing, bool& json);

/// Adds IMAGE, the options of reading, and --sizes.
void add_benchmark_input(Command& command, BenchmarkInput& input);

/// Calls `measure` with the line of progress, which is erased at the end, and prints the times as text or JSON.
///
/// The line does not change the times. What is next is noted before a run's clock starts. The thread that draws the
/// line writes less than 200 bytes twice a second, which takes some microseconds, and sleeps otherwise. It draws
/// nothing if the error stream is not a terminal.
int print_times(bool json, const std::function<WorkReport(const ProgressSink& progress)>& measure);

/// The same of a measurement that also writes a file, which the text names as `kind`, if it has a name here. Returns
/// the exit code: 1 if nothing was measured.
int print_report(bool json, const std::filesystem::path& file, const char* kind,
                 const std::function<BenchmarkReport(const ProgressSink& progress)>& measure);

}  // namespace octavo::cli
