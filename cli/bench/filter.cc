// octavo bench filter: times the trilateral filter, step by step, and counts the work of its windows.

#include <memory>
#include <string>

#include "cli/bench/bench.h"
#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/options.h"

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
the number of taps that count.)";

constexpr auto examples = R"(Examples:
  octavo bench filter photo.jpg --sizes 640x640,1920x1080 --threads 1
  octavo bench filter photo.jpg --spatial-sigma 3.1 --device cuda:0 --json

The JSON has the members below, the filter's options ("spatial_sigma",
"trilateral_window", "trilateral_truncate", "luma") and "work":
{"lane_count", "imbalance", "busy_share" (1 / imbalance), "occupancy" (of a CUDA
GPU, or 0), "tap_count" (the mean), "unbounded_tap_count", "skipped_share",
"windows": [{"level", "reach", "tap_count", "pixel_count"}, ...]}.

)";

struct Call : FilterBenchmark {
  bool json = false;
};

}  // namespace

void add_bench_filter(Command& bench) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(bench, "filter", description, std::string(examples) + bench_json_manual);
  add_benchmark_input(command, call->input);
  add_timing_options(command, call->timing, call->json);
  add_trilateral_options(command, call->options);
  add_device_options(command, call->device);
  command.callback([call] {
    print_times(call->json, [&](const ProgressSink& progress) { return measure_filter(*call, progress); });
  });
}

}  // namespace octavo::cli
