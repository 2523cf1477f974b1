// octavo bench report: times extraction over images, devices, sizes and numbers of keypoints in one run, and reports
// tables, JSON and a page.

#include <fmt/chrono.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <span>
#include <utility>

#include "cli/bench/bench.h"
#include "cli/command.h"
#include "cli/detector.h"
#include "cli/list.h"
#include "cli/progress.h"
#include "cli/sizes.h"
#include "io/files/output_file.h"
#include "octavo/error.h"
#include "octavo/io/collection.h"
#include "octavo/io/image_formats.h"
#include "study/benchmark/benchmark_page.h"
#include "study/benchmark/named_implementation.h"
#include "study/benchmark/timed_work.h"

namespace octavo::cli {
namespace {

// What the command line asks for.
struct Call {
  std::vector<std::string> images;
  bool chessboard = false;
  std::string output;
  ReadOptions read;
  std::vector<std::string> devices;  // of implementations_of
  BenchmarkGrid grid{.sizes = {{640, 480}, {1280, 720}, {1920, 1080}}, .budgets = {500, 2000, 8000, 0}};
  TimingOptions timing;
  bool json = false;
  ImplementationWork work;
  DeviceOptions device;
};

int parse_budget(const std::string& text) {
  if (text == "all") return 0;
  int budget = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), budget);
  if (error != std::errc() || end != text.data() + text.size() || budget < 1) {
    throw Error(ErrorCode::invalid_option,
                InvalidOption{"max_features", fmt::format("\"{}\"", text), "must be a whole number above 0, or all"});
  }
  return budget;
}

std::vector<BenchmarkImage> images_of(const Call& call, std::span<const ImageFile> files, Progress& progress) {
  std::vector<BenchmarkImage> images;
  for (const ImageFile& image : files) {
    progress.show(image.file.string());
    images.push_back(benchmark_image(image.name.string(), image.file, call.read));
  }
  if (call.chessboard) images.push_back(benchmark_chessboard());
  return images;
}

void print_text(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results) {
  fmt::print("{}\n{}", circumstances.machine, text_of(times_table(circumstances, results)));
  for (const Table& table : {speed_table(circumstances, results), stage_table(circumstances, results)}) {
    if (!table.rows.empty()) fmt::print("\n{}", text_of(table));
  }
  for (const AbsentImplementation& absent : circumstances.absent) fmt::print("not measured: {}\n", absent.sentence());
  for (const std::string& shortage : shortages(circumstances, results)) fmt::print("{}\n", shortage);
}

// Results and plots are found by the name of their image.
void require_distinct_names(const Call& call, std::span<const ImageFile> images) {
  if (const auto same = same_name(images)) {
    throw WrongCall(
        fmt::format("{} and {} have the same name, so their times cannot be told apart; give them one call each",
                    same->first.file.string(), same->second.file.string()));
  }
  if (!call.chessboard) return;
  for (const ImageFile& image : images) {
    if (image.name != benchmark_chessboard().name) continue;
    throw WrongCall(
        fmt::format("{} has the name of the image of --chessboard; give it a call of its own", image.file.string()));
  }
}

int run(const Call& call) {
  const ImageFiles inputs = find_images(call.images);
  if (!inputs.problems.empty()) throw Error(ErrorCode::file_error, inputs.problems.front());
  require_distinct_names(call, inputs.images);
  if (!call.output.empty()) {
    std::vector<std::filesystem::path> files;
    for (const ImageFile& image : inputs.images) files.push_back(image.file);
    require_writable_page(call.output);
    require_not_read(std::array<std::filesystem::path, 1>{call.output}, files);
  }
  BenchmarkCircumstances circumstances{.version = OCTAVO_VERSION,
                                       .date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))),
                                       .machine = machine_name(),
                                       .detector = std::string(detector_of(call.work.detector).title),
                                       .exact = call.work.exact,
                                       .images = {},
                                       .implementations = {},
                                       .absent = {},
                                       .timing = call.timing,
                                       .seconds = call.grid.seconds};
  Progress progress;
  DeviceOptions device = call.device;
  device.progress = progress.sink();
  const Implementations implementations = implementations_of(call.devices, call.work, device);
  circumstances.implementations = implementations.facts;
  circumstances.absent = implementations.absent;
  const std::vector<BenchmarkImage> images = images_of(call, inputs.images, progress);
  for (const BenchmarkImage& image : images) circumstances.images.emplace_back(image.name, image.pixels);
  const GridMeasurements measured = measure_grid(images, call.grid, call.timing, implementations.all, progress.sink());
  progress.clear();
  const std::vector<GridResult>& results = measured.results;
  circumstances.absent.insert(circumstances.absent.end(), measured.problems.begin(), measured.problems.end());
  if (call.json) {
    fmt::print("{}\n", benchmark_json(circumstances, results));
  } else {
    print_text(circumstances, results);
  }
  if (!call.output.empty()) {
    write_file(call.output, html_of(benchmark_page(circumstances, results), call.images));
    if (!call.json) fmt::print("page  {}\n", call.output);
  }
  if (!results.empty()) return exit_done;
  complain("nothing was measured");
  return exit_failed;
}

// Refuses what has no effect with these numbers of points, and checks the detector's options with the largest of them.
void require_effects_of(const Command& command, const Call& call) {
  const DetectorFacts& detector = detector_of(call.work.detector);
  const std::vector<int>& budgets = call.grid.budgets;
  const bool all = std::find(budgets.begin(), budgets.end(), 0) != budgets.end();
  if (call.work.exact) {
    if (detector.find("target_features") == nullptr) {
      refuse_without_effect("--exact", fmt::format("with --detector {}", detector.name));
    }
    if (all) {
      throw Error(ErrorCode::invalid_option,
                  InvalidOption{"max_features", "\"all\"", "must be a whole number above 0 with --exact"});
    }
    refuse_if_given(command, {"--contrast-threshold", "--rank", "--grid"}, "with --exact");
  }
  const int largest = *std::max_element(budgets.begin(), budgets.end());
  if (largest > 0 && !call.work.exact && detector.find("max_features") == nullptr) {
    throw WrongCall("--max-features",
                    fmt::format("must be all with --detector {}, which keeps all points", detector.name));
  }
  if (largest == 0) {
    refuse_if_given(command, {"--rank", "--grid"}, "with --max-features all");
  }
  // The numbers are those to reach with --exact, but --max-features names them all the same.
  require_effects(command, with_points({.detector = call.work.detector}, largest));
}

}  // namespace

void add_bench_report(Command& bench, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(bench, "report", bench_report_txt);
  command.add_option("IMAGE", call->images).required();
  add_read_options(command, call->read);
  command.add_option("-o,--output", call->output);
  add_list(command, "--devices", [call](const std::vector<std::string>& names) { call->devices = names; });
  add_sizes(command, "--sizes", call->grid.sizes).default_str("640x480,1280x720,1920x1080");
  command.add_flag("--chessboard", call->chessboard);
  command.add_flag("--exact", call->work.exact);
  add_timing_options(command, call->timing, call->json);
  add_number(command, {.name = "seconds", .low = 0, .high = 1e6}, call->grid.seconds);
  call->work.detector = preset("opencv");  // what OpenCV does too
  add_detector_options(command, call->work.detector, Descriptors::on_request);
  for (const char* const name : {"--target-features", "--max-features"}) command.remove_option(name);
  const auto take_budgets = [call](const std::vector<std::string>& texts) {
    std::vector<int>& budgets = call->grid.budgets;
    budgets.clear();
    for (const std::string& text : texts) {
      const int budget = parse_budget(text);
      if (std::find(budgets.begin(), budgets.end(), budget) == budgets.end()) budgets.push_back(budget);
    }
  };
  add_list(command, "--max-features", take_budgets).default_str("500,2000,8000,all");
  command.parse_complete_callback([call, &command] { require_effects_of(command, *call); });
  add_device_options(command, call->device);
  for (const char* const name : {"--device", "--threads"}) command.remove_option(name);  // --devices
  command.callback([call, &exit_code] { exit_code = run(*call); });
}

}  // namespace octavo::cli
