// octavo bench filter: times the trilateral filter, step by step, and counts the work of its windows.

#include <fmt/chrono.h>

#include <array>
#include <ctime>
#include <filesystem>

#include "cli/bench/bench.h"
#include "cli/command.h"
#include "cli/list.h"
#include "cli/progress.h"
#include "io/files/output_file.h"
#include "study/benchmark/filter_tables.h"
#include "study/benchmark/timed_work.h"

namespace octavo::cli {
namespace {

struct Call : FilterBenchmark {
  bool json = false;
  std::vector<std::string> devices;
  std::string output;
};

void compare(const Call& call) {
  if (!call.output.empty()) {
    const std::array<std::filesystem::path, 1> written{call.output};
    require_ending(written, std::array<std::string_view, 2>{".html", ".htm"});
    require_writable(written);
    std::vector<std::filesystem::path> read(call.input.places.begin(), call.input.places.end());
    require_not_read(written, read);
  }
  Progress progress;
  FilterMeasurements measured = compare_filters({.filter = call, .devices = call.devices}, progress.sink());
  progress.clear();
  measured.version = OCTAVO_VERSION;
  measured.date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
  measured.machine = machine_name();
  if (call.json) {
    fmt::print("{}\n", filter_tables_json(measured));
  } else {
    fmt::print("{}\n", measured.machine);
    for (const Table& table : {last_step_table(measured), steps_table(measured)}) {
      fmt::print("\n{}\n{}", table.title, text_of(table));
    }
  }
  if (!call.output.empty()) write_file(call.output, html_of(filter_page(measured), call.input.places));
}

}  // namespace

void add_bench_filter(Command& bench) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(bench, "filter", bench_filter_txt);
  add_benchmark_input(command, call->input);
  add_timing_options(command, call->timing, call->json);
  add_trilateral_options(command, call->options);
  add_device_options(command, call->device);
  command.add_option("-o,--output", call->output);
  add_list(command, "--devices", [call](const std::vector<std::string>& names) { call->devices = names; });
  command.callback([call, &command] {
    if (!call->devices.empty() || !call->output.empty()) {
      const char* const given = call->devices.empty() ? "with --output" : "with --devices";
      refuse_if_given(command, {"--device", "--threads", "--trilateral-order"}, given);
      return compare(*call);
    }
    print_times(call->json, [&](const ProgressSink& progress) { return measure_filter(*call, progress); });
  });
}

}  // namespace octavo::cli
