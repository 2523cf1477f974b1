// The parts that all kinds of evaluation have in common.

#include "cli/evaluate/evaluate_call.h"

#include <fmt/chrono.h>

#include <array>
#include <cstddef>
#include <ctime>
#include <filesystem>
#include <limits>
#include <utility>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/complaint.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/wrong_call.h"
#include "io/files/output_file.h"

namespace octavo::cli {

void add_output_options(Command& command, EvaluateCall& call) {
  const std::string group = "Output options";
  command
      .add_option("-o,--output", call.output,
                  "Write a page with tables and plots (.html) to this file. It needs only a browser.")
      .type_name("FILE")
      .group(group);
  command.add_flag("--json", call.json, "Print JSON instead of tables, see below.").group(group);
}

void add_comparison_options(Command& command, EvaluateCall& call) {
  add_output_options(command, call);
  add_read_options(command, call.read);
  add_configuration_option(command, call.words);
  add_detector_options(command, call.detector, Descriptors::if_any);
  // What has no effect in the options of the command line may have one in a configuration.
  command.parse_complete_callback(
      [&command, &call] { require_effects(command, call.words, call.detector, call.match); });
  add_match_options(command, call.match);
  add_device_options(command, call.device);
}

void add_evaluate_options(Command& command, EvaluateCall& call) {
  add_comparison_options(command, call);
  add_robust_options(command, call.robust);
}

std::vector<Configuration> configurations_of(const EvaluateCall& call) {
  validate(call.robust);
  if (!call.output.empty()) require_writable_page(call.output);
  return configurations_of(call.words, call.detector, call.match);
}

std::vector<Pipeline> pipelines_of(const EvaluateCall& call, std::span<const Configuration> configurations,
                                   Progress& progress) {
  DeviceOptions device = call.device;
  device.progress = progress.sink();
  std::vector<Pipeline> pipelines;
  for (const Configuration& configuration : configurations) {
    progress.show(configuration.name);
    pipelines.push_back(pipeline_of(configuration, device));
  }
  return pipelines;
}

void require_none_before(const Command& evaluate, const std::string& command) {
  for (const auto& option : evaluate.options()) {
    if (option->count() == 0) continue;
    throw WrongCall(fmt::format("{} stands before {}, but must stand behind it", option->name(), command));
  }
}

void add_noise_seed(Command& command, std::uint64_t& seed) {
  add_number(command,
             {.name = "noise_seed",
              .sentence = "Seed of the noise; the same seed gives the same images. Only with the change noise.",
              .symbol = "N",
              .low = 0,
              .high = std::numeric_limits<std::uint32_t>::max()},
             seed);
}

void require_other_page(const EvaluateCall& call, std::span<const std::filesystem::path> photographs) {
  require_not_read(std::array<std::filesystem::path, 1>{call.output}, photographs);
}

void require_other_page(const EvaluateCall& call, std::span<const ImageFile> photographs) {
  std::vector<std::filesystem::path> files;
  for (const ImageFile& photograph : photographs) files.push_back(photograph.file);
  require_other_page(call, files);
}

Comparison compare(const EvaluateCall& call, std::span<const Scene> scenes, std::span<Pipeline> pipelines,
                   Progress& progress) {
  const auto show = [&](std::size_t done, std::size_t total, const ImageName& next) {
    progress.show(next.path.string(), done, total);
  };
  Comparison comparison =
      compare(scenes, pipelines, {.robust = call.robust, .covisible_only = call.covisible_only, .progress = show});
  progress.clear();
  return comparison;
}

int tell(const EvaluateCall& call, Progress& progress, const EvaluationOutput& output) {
  if (call.json) {
    fmt::print("{}\n", output.json());
  } else {
    std::string text;
    for (const Table& table : output.tables()) {
      text += fmt::format("{}{}{}{}", text.empty() ? "" : "\n", table.title, table.title.empty() ? "" : "\n",
                          text_of(table));
    }
    fmt::print("{}", text);
  }
  if (!call.output.empty()) {
    progress.show(call.output);  // the images of a page may be large
    std::vector<std::string> places(output.places.begin(), output.places.end());
    for (const std::string& word : call.words.features) places.push_back(word.substr(word.find('=') + 1));
    write_file(call.output, html_of(output.page(), places));
    progress.clear();
    if (!call.json) fmt::print("page  {}\n", call.output);
  }
  for (const std::string& problem : output.problems) complain(problem);
  for (const std::string& warning : output.warnings) complain("warning: " + warning);
  return output.problems.empty() ? exit_done : exit_failed;
}

EvaluationCircumstances circumstances_of(const EvaluateCall& call) {
  return {.version = OCTAVO_VERSION,
          .date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))),
          .exif_rotation = call.read.apply_exif_rotation,
          .covisible_only = call.covisible_only,
          .robust = call.robust};
}

}  // namespace octavo::cli
