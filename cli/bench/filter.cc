// octavo bench filter: times the trilateral filter, step by step, and counts the work of its windows.

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <array>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/bench/bench.h"
#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/list.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "io/files/output_file.h"
#include "study/benchmark/filter_tables.h"
#include "study/benchmark/timed_work.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(time the trilateral filter

Reads the images, then times their filtering, from pixels in host memory to
pixels in host memory. The steps are timed in separate runs; a GPU's own clock
measures its steps.

The command also reports the work of the windows: the number of pixels for each
size of window; the taps of the mean window; its taps if windows did not end
where weights vanish (as in the sources); and the imbalance, which is the number
of taps that lanes of a vector or threads of a warp execute together, divided by
the number of taps that count.

With --devices or --output it compares devices in place of that, and prints two
tables: the last step, for which each GPU takes neighbours together and then
pixels with windows of one size, and the time of every step by size. They are
tables 5.2 and 4.1 of Sawada (2024), and a page has them too.)";

constexpr auto examples = R"(Examples:
  octavo bench filter photo.jpg --sizes 640x640,1920x1080 --threads 1
  octavo bench filter photo.jpg --spatial-sigma 3.1 --device cuda:0 --json
  octavo bench filter photo.jpg --sizes 160x160,320x320,640x640 \
      --spatial-sigma 8 --devices cpu@1,cuda:0 -o tables.html

The JSON has the members below, the filter's options ("spatial_sigma",
"trilateral_window", "trilateral_truncate", "luma", "trilateral_order") and
"work":
{"lane_count", "imbalance", "busy_share" (1 / imbalance), "occupancy" (of a CUDA
GPU, or 0), "tap_count" (the mean), "unbounded_tap_count", "skipped_share",
"windows": [{"level", "reach", "tap_count", "pixel_count"}, ...]}.

With --devices or --output the JSON is
  {"octavo": "0.1.0", "date", "machine", "rounds", "warmup", "options": {...},
   "implementations": [{"name": "cpu, 1 thread"}, ...],
   "results": [{"implementation", "device", "trilateral_order", "image",
     "width", "height", "tap_count", the times below,
     "last_step_seconds"}, ...]}

)";

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
  Command& command = add_command(bench, "filter", description, std::string(examples) + bench_json_manual);
  add_benchmark_input(command, call->input);
  add_timing_options(command, call->timing, call->json);
  add_trilateral_options(command, call->options);
  add_device_options(command, call->device);
  command.add_option("-o,--output", call->output, "Compare devices, and write a page with the tables (.html) to FILE.")
      .type_name("FILE");
  add_list(
      command, "--devices", [call](const std::vector<std::string>& names) { call->devices = names; },
      "Compare these devices, of those that `octavo devices` lists; @N behind a name sets the CPU threads. Not with "
      "--device. Default: with --output cpu@1, cpu, and every GPU that auto would take.")
      .type_name("NAME[@N],...");
  command.callback([call, &command] {
    if (!call->devices.empty() || !call->output.empty()) {
      const char* const given = call->devices.empty() ? "with --output" : "with --devices";
      for (const char* const flag : {"--device", "--threads", "--trilateral-order"}) {
        refuse_if_given(command, flag, given);
      }
      return compare(*call);
    }
    print_times(call->json, [&](const ProgressSink& progress) { return measure_filter(*call, progress); });
  });
}

}  // namespace octavo::cli
