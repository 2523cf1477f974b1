// octavo bench report: times extraction over images, devices, sizes and numbers of keypoints in one run, and reports
// tables, JSON and a page.

#include <algorithm>
#include <charconv>

#include "cli/bench/bench.h"
#include "cli/command.h"
#include "cli/detector.h"
#include "cli/list.h"
#include "octavo/error.h"
#include "study/benchmark/benchmark_reports.h"

namespace octavo::cli {
namespace {

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

// Refuses what has no effect with these numbers of points, and checks the detector's options with the largest of them.
void require_effects_of(const Command& command, const GridReportJob& call) {
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

void define_bench_report(Command& command) {
  const auto call = std::make_shared<WithJson<GridReportJob>>();
  call->grid = {.sizes = {{640, 480}, {1280, 720}, {1920, 1080}}, .budgets = {500, 2000, 8000, 0}};
  command.add_option("IMAGE", call->places).required();
  add_read_options(command, call->read);
  command.add_option("-o,--output", call->page);
  add_list(command, "--devices", call->devices);
  add_sizes(command, "--sizes", call->grid.sizes).default_str("640x480,1280x720,1920x1080");
  command.add_flag("--chessboard", call->chessboard);
  command.add_flag("--exact", call->work.exact);
  add_timing_options(command, call->timing, call->json);
  add_number(command, {.name = "seconds", .low = 0, .high = 1e6}, call->grid.seconds);
  call->work.detector = preset("opencv");  // what OpenCV does too
  add_detector_options(command, call->work.detector, Descriptors::on_request);
  for (const char* const name : {"--target-features", "--max-features"}) command.remove_option(name);
  add_list(command, "--max-features", call->grid.budgets, parse_budget).default_str("500,2000,8000,all");
  command.check = [call, &command] { require_effects_of(command, *call); };
  add_device_options(command, call->device);
  for (const char* const name : {"--device", "--threads"}) command.remove_option(name);  // --devices
  command.action = [call] {
    const auto report = [&](const ProgressSink& progress) { return report_grid(*call, progress); };
    return print_report(call->json, call->page, "page", report);
  };
}

}  // namespace octavo::cli
