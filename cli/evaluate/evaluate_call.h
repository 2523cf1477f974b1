#pragma once

// What the commands of `octavo evaluate` have in common: options, comparison and results.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cli/detector.h"
#include "cli/evaluate/configuration.h"
#include "io/pages/report_page.h"
#include "octavo/device.h"
#include "octavo/io/collection.h"
#include "octavo/multiview/geometry.h"
#include "study/evaluate/comparison.h"
#include "study/evaluate/evaluation_page.h"

namespace octavo::cli {

class Command;
class Progress;

struct EvaluateCall {
  ReadOptions read;
  bool json = false;
  bool covisible_only = false;
  std::string output;  ///< the page; empty: none
  ConfigurationArguments words;
  DetectorOptions detector = SiftOptions{.max_features = 0};  // a comparison has the budget that is asked for
  MatchOptions match;
  RobustOptions robust;
  DeviceOptions device;
};

/// Adds --output and --json.
void add_output_options(Command& command, EvaluateCall& call);

/// Adds these and the options of reading, configurations, detectors, matching and devices.
void add_comparison_options(Command& command, EvaluateCall& call);

/// Adds these and those of homographies, without --features. No other program has features of the images that `octavo
/// evaluate robustness` makes.
void add_evaluate_options(Command& command, EvaluateCall& call);

/// The configurations that the call asks for. Checks the other options of the call first. Throws WrongCall, Error.
std::vector<Configuration> configurations_of(const EvaluateCall& call);

/// Makes the pipeline of each configuration, which tell `progress` their stages. Throws Error.
std::vector<Pipeline> pipelines_of(const EvaluateCall& call, std::span<const Configuration> configurations,
                                   Progress& progress);

/// Refuses options of `octavo evaluate` that stand before the name of its command. Throws WrongCall.
void require_none_before(const Command& evaluate, const std::string& command);

/// Adds --noise-seed.
void add_noise_seed(Command& command, std::uint64_t& seed);

/// Refuses to write the page over a photograph. Throws Error.
void require_other_page(const EvaluateCall& call, std::span<const std::filesystem::path> photographs);
void require_other_page(const EvaluateCall& call, std::span<const ImageFile> photographs);

/// Compares the pipelines on the scenes and shows the progress, which it erases at the end.
Comparison compare(const EvaluateCall& call, std::span<const Scene> scenes, std::span<Pipeline> pipelines,
                   Progress& progress);

/// What was found, in the forms that a call may ask for.
struct EvaluationOutput {
  std::function<std::string()> json;
  std::function<std::vector<Table>()> tables;
  std::function<ReportPage()> page;
  std::span<const std::string> problems, warnings{};
  std::span<const std::string> places;  ///< what was evaluated: files, folders and patterns
};

/// Prints JSON or tables, writes the page and names its file, if the call asks for one, and prints problems and
/// warnings to the error stream. Returns the exit code.
int tell(const EvaluateCall& call, Progress& progress, const EvaluationOutput& output);

/// The version of the program, the date, and the options that hold for all configurations.
EvaluationCircumstances circumstances_of(const EvaluateCall& call);

void add_evaluate_corners(Command& evaluate, int& exit_code);
void add_evaluate_crops(Command& evaluate, int& exit_code);
void add_evaluate_robustness(Command& evaluate, int& exit_code);

}  // namespace octavo::cli
