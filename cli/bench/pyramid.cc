// octavo bench pyramid: times grey, blurs and differences alone, iteration by iteration.

#include <fmt/chrono.h>

#include <array>
#include <ctime>
#include <filesystem>
#include <span>

#include "cli/bench/bench.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "cli/sizes.h"
#include "io/files/output_file.h"
#include "octavo/error.h"
#include "study/benchmark/pyramid_benchmark.h"
#include "study/benchmark/timed_work.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

enum class Grey { both, device, host };

// What the command line asks for.
struct Call {
  std::string image, output;
  ReadOptions read;
  Grey grey_on = Grey::both;
  bool json = false;
  PyramidBenchmark benchmark;
  DeviceOptions device;
};

bool is_vector_image(const fs::path& file) { return file.extension() == ".svg" || file.extension() == ".SVG"; }

void run(const Call& call) {
  if (!call.output.empty()) {
    const std::array<fs::path, 1> written{call.output};
    require_ending(written, std::array<std::string_view, 3>{".html", ".htm", ".svg"});
    require_writable(written);
    if (!call.image.empty()) require_not_read(written, std::array<fs::path, 1>{call.image});
  }
  PyramidBenchmark benchmark = call.benchmark;
  if (call.grey_on == Grey::device) benchmark.grey = {GreyOn::device};
  if (call.grey_on == Grey::host) benchmark.grey = {GreyOn::host};

  Progress progress;
  progress.show("looking for the device");
  Pyramid(benchmark.scale_space, call.device);  // reports a wrong option before the image is read
  if (call.image.empty() && benchmark.sizes.empty()) benchmark.sizes = {{1920, 1080}};
  if (!call.image.empty()) progress.show(call.image);
  PyramidMeasurements measured = measure_pyramids(call.image, call.read, benchmark, call.device, progress.sink());
  progress.clear();
  measured.image = call.image.empty() ? "noise" : call.image;
  measured.version = OCTAVO_VERSION;
  measured.date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
  measured.machine = machine_name();

  if (call.json) {
    fmt::print("{}\n", pyramid_json(measured));
  } else {
    fmt::print("device {}, {}, {} threads\n{}\n{}", measured.device, measured.isa, measured.threads,
               text_of(pyramid_times_table(measured)), text_of(pyramid_stages_table(measured)));
  }
  if (call.output.empty()) return;
  write_file(call.output, is_vector_image(call.output) ? pyramid_svg(measured)
                                                       : html_of(pyramid_page(measured), std::span(&call.image, 1)));
  if (!call.json) fmt::print("plot  {}\n", call.output);
}

}  // namespace

void add_bench_pyramid(Command& bench) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(bench, "pyramid", bench_pyramid_txt);
  command.add_option("IMAGE", call->image);
  add_read_options(command, call->read);
  command.add_option("-o,--output", call->output);
  add_sizes(command, "--sizes", call->benchmark.sizes);
  add_choice<Grey>(command, "--grey-on", call->grey_on,
                   {{"both", Grey::both}, {"device", Grey::device}, {"host", Grey::host}});
  add_timing_options(command, call->benchmark.timing, call->json);
  add_sift_options(command, call->benchmark.scale_space,
                   {"contrast_threshold", "edge_threshold", "target_features", "max_features", "max_points", "rank",
                    "grid", "descriptor", "upright", "max_orientations", "grey_on"});
  add_device_options(command, call->device);
  command.callback([call, &command] {
    if (call->image.empty()) {
      refuse_if_given(command, {"--no-exif-rotation", "--max-pixels"}, "without IMAGE");
    }
    run(*call);
  });
}

}  // namespace octavo::cli
