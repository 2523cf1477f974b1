// octavo bench filter: times the trilateral filter, step by step, and counts the work of its windows.

#include "cli/bench/bench.h"
#include "cli/command.h"
#include "cli/list.h"
#include "study/benchmark/benchmark_reports.h"

namespace octavo::cli {
void define_bench_filter(Command& command) {
  const auto call = std::make_shared<WithJson<FilterReportJob>>();
  FilterBenchmark& filter = call->comparison.filter;
  add_benchmark_input(command, filter.input);
  add_timing_options(command, filter.timing, call->json);
  add_options(command, filter.options);
  add_device_options(command, filter.device);
  command.add_option("-o,--output", call->page);
  std::vector<std::string>& devices = call->comparison.devices;
  add_list(command, "--devices", devices);
  command.action = [call, &command, &devices] {
    if (devices.empty() && call->page.empty()) {
      const auto measure = [&](const ProgressSink& progress) {
        return measure_filter(call->comparison.filter, progress);
      };
      return print_times(call->json, measure);
    }
    refuse_if_given(command, {"--device", "--threads", "--trilateral-order"},
                    devices.empty() ? "with --output" : "with --devices");
    const auto report = [&](const ProgressSink& progress) { return report_filters(*call, progress); };
    return print_report(call->json, "", "page", report);
  };
}

}  // namespace octavo::cli
