// octavo bench extract: times the extraction of one image at a time, whole and by stage, or of a stream of images.

#include "cli/bench/bench.h"
#include "cli/command.h"
#include "cli/detector.h"

namespace octavo::cli {
void define_bench_extract(Command& command) {
  const auto call = std::make_shared<WithJson<ExtractionBenchmark>>();
  add_benchmark_input(command, call->input);
  add_choice<bool>(command, "--mode", call->is_stream, {{"latency", false}, {"throughput", true}});
  add_number(command, {.name = "in_flight", .low = 1, .high = 1000}, call->in_flight);
  add_number(command, {.name = "stream", .low = 1, .high = 1e6}, call->stream);
  add_timing_options(command, call->timing, call->json);
  add_detector_options(command, call->detector, Descriptors::on_request);
  add_device_options(command, call->device);
  command.action = [call, &command] {
    if (!call->is_stream) {
      refuse_if_given(command, {"--in-flight", "--stream"}, "with --mode latency");
    }
    return print_times(call->json, [&](const ProgressSink& progress) { return measure_extraction(*call, progress); });
  };
}

}  // namespace octavo::cli
