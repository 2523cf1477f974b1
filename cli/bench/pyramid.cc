// octavo bench pyramid: times grey, blurs and differences alone, iteration by iteration.

#include "cli/bench/bench.h"
#include "cli/command.h"
#include "cli/list.h"
#include "study/benchmark/benchmark_reports.h"

namespace octavo::cli {
void define_bench_pyramid(Command& command) {
  const auto call = std::make_shared<WithJson<PyramidReportJob>>();
  command.add_option("IMAGE", call->image);
  add_read_options(command, call->read);
  command.add_option("-o,--output", call->plot);
  add_sizes(command, "--sizes", call->benchmark.sizes);
  using Places = std::vector<GreyOn>;
  add_choice<Places>(
      command, "--grey-on", call->benchmark.grey,
      {{"both", {GreyOn::device, GreyOn::host}}, {"device", Places{GreyOn::device}}, {"host", Places{GreyOn::host}}});
  add_timing_options(command, call->benchmark.timing, call->json);
  add_sift_options(command, call->benchmark.scale_space,
                   {"contrast_threshold", "edge_threshold", "target_features", "max_features", "max_points", "rank",
                    "grid", "descriptor", "upright", "max_orientations", "grey_on"});
  add_device_options(command, call->device);
  command.action = [call, &command] {
    if (call->image.empty()) refuse_if_given(command, {"--no-exif-rotation", "--max-pixels"}, "without IMAGE");
    const auto report = [&](const ProgressSink& progress) { return report_pyramids(*call, progress); };
    return print_report(call->json, call->plot, "plot", report);
  };
}

}  // namespace octavo::cli
