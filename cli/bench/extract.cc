// octavo bench extract: times the extraction of one image at a time, whole and by stage, or of a stream of images.

#include <memory>
#include <string>

#include "cli/bench/bench.h"
#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/detector.h"
#include "cli/options.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(time the extraction of keypoints

Reads the images, then times their extraction, without reading and writing.
Several images, or several sizes, take turns in every round.

--mode latency times one image at a time, from pixels in host memory to features
in host memory. The stages are timed in separate runs; a GPU's own clock
measures its stages. All stages but upload and download run on the device.

--mode throughput sends a stream of images through one extractor. Images are
submitted before the features of earlier images are collected, so that uploads,
work and downloads overlap on a GPU. Its times are per image.)";

constexpr auto examples = R"(Examples:
  octavo bench extract photo.jpg --sizes 1920x1080 --threads 1
  octavo bench extract photo.jpg --sizes 640x480,1920x1080 --device cuda:0
  octavo bench extract photos/ --sizes 1920x1080 --mode throughput
  octavo bench extract photos/ --rounds 5 --json

The JSON has the members below and "mode", "images_per_second" and, with --mode
latency, "on_device_seconds": the sum of all stages but upload and download.
With --mode throughput "keypoint_count" is the mean over the images, and
"stage_seconds" is empty.

)";

struct Call : ExtractionBenchmark {
  bool json = false;
};

}  // namespace

void add_bench_extract(Command& bench) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(bench, "extract", description, std::string(examples) + bench_json_manual);
  add_benchmark_input(command, call->input);
  add_choice<bool>(command, "--mode", call->is_stream, {{"latency", false}, {"throughput", true}},
                   "What is timed: one image at a time, or a stream of them.");
  add_number(command,
             {.name = "in_flight",
              .sentence = "Images of the stream that are submitted and not yet collected. Four keep one GPU busy. Only "
                          "with --mode throughput.",
              .symbol = "N",
              .low = 1,
              .high = 1000},
             call->in_flight);
  add_number(command,
             {.name = "stream",
              .sentence = "Number of images in the stream; the images repeat. Only with --mode throughput.",
              .symbol = "N",
              .low = 1,
              .high = 1e6},
             call->stream);
  add_timing_options(command, call->timing, call->json);
  add_detector_options(command, call->detector, Descriptors::on_request);
  add_device_options(command, call->device);
  command.callback([call, &command] {
    if (!call->is_stream) {
      for (const char* const flag : {"--in-flight", "--stream"}) refuse_if_given(command, flag, "with --mode latency");
    }
    print_times(call->json, [&](const ProgressSink& progress) { return measure_extraction(*call, progress); });
  });
}

}  // namespace octavo::cli
