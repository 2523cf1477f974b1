// octavo bench filter: times the trilateral filter, step by step, and counts the work of its windows.

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/bench/bench.h"
#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/sizes.h"
#include "io/images/resize.h"
#include "io/json/json.h"
#include "octavo/error.h"
#include "octavo/io/find_images.h"
#include "octavo/io/image_files.h"
#include "octavo/trilateral.h"

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
  octavo bench filter photo.jpg --sigma 3.1 --device cuda:0 --json

The JSON has the members below and "sigma", "window", "luma" and "work":
{"lane_count", "imbalance", "busy_share" (1 / imbalance), "occupancy" (of a CUDA
GPU, or 0), "tap_count" (the mean), "unbounded_tap_count", "skipped_share",
"windows": [{"level", "reach", "tap_count", "pixel_count"}, ...]}.

)";

// What the command line asks for.
struct Call {
  std::vector<std::string> images;
  ReadOptions read;
  std::vector<ImageSize> sizes;
  BenchOptions bench;
  TrilateralOptions options;
  DeviceOptions device;
};

struct NamedImage {
  std::string name;
  Image image;
};

std::vector<NamedImage> read_images(const Call& call, Progress& progress) {
  const ImageFiles inputs = find_images(call.images);
  if (!inputs.problems.empty()) throw Error(ErrorCode::file_error, inputs.problems.front());
  std::vector<NamedImage> images;
  for (const ImageFile& input : inputs.images) {
    progress.show(input.file.string());
    Image image = read_image(input.file, call.read);
    for (const ImageSize& size : call.sizes) {
      images.push_back({input.file.string(), resize_and_crop(image.view(), size)});
    }
    if (call.sizes.empty()) images.push_back({input.file.string(), std::move(image)});
  }
  return images;
}

// Taps of the mean window if no window ended where weights vanish. The distance over which gradients are alike does not
// depend on σ. At the largest σ, only the image's size bounds the levels of certified windows.
double taps_unbounded(const Call& call, const ImageView& image, const ProgressSink& progress) {
  TrilateralOptions options = call.options;
  options.sigma = 32;
  options.window = TrilateralWindow::certified;
  Trilateral trilateral(options,
                        {.name = "cpu", .threads = call.device.threads, .isa = call.device.isa, .progress = progress});
  trilateral.filter(image);
  double taps = 0, pixels = 0;
  for (const auto& w : trilateral.work().windows) {
    const double reach = call.options.window == TrilateralWindow::certified ? w.level : (1 << w.level) / 2;
    taps += static_cast<double>(w.pixels) * (2 * reach + 1) * (2 * reach + 1);
    pixels += static_cast<double>(w.pixels);
  }
  return taps / pixels;
}

BenchFigures figures_of(const Call& call, const TrilateralWork& work, double unbounded) {
  auto windows = Json::array();
  for (const auto& w : work.windows) {
    windows.push_back({{"level", w.level}, {"reach", w.reach}, {"tap_count", w.taps}, {"pixel_count", w.pixels}});
  }
  const double skipped = 1 - work.taps / unbounded;
  BenchFigures figures;
  auto json = parse_json(json_of(option_table<TrilateralOptions>(), call.options));
  json["work"] = {{"lane_count", work.lanes},    {"imbalance", work.imbalance}, {"busy_share", 1 / work.imbalance},
                  {"occupancy", work.occupancy}, {"tap_count", work.taps},      {"unbounded_tap_count", unbounded},
                  {"skipped_share", skipped},    {"windows", windows}};
  figures.json = std::move(json);
  figures.text = {fmt::format("{:<24}{:>10.1f}    ({:.1f} if windows had no bound: {:.1f} % skipped)",
                              "taps of a mean window", work.taps, unbounded, 100 * skipped),
                  fmt::format("{:<24}{:>10.3f}    (of {} lanes {:.1f} % are busy)", "imbalance", work.imbalance,
                              work.lanes, 100 / work.imbalance)};
  if (work.occupancy > 0) {
    figures.text.push_back(
        fmt::format("{:<24}{:>10.1f} %  (threads that a multiprocessor holds)", "occupancy", 100 * work.occupancy));
  }
  std::int64_t pixels = 0;
  for (const auto& w : work.windows) pixels += w.pixels;
  for (const auto& w : work.windows) {
    figures.text.push_back(fmt::format("  {:<22}{:>10.1f} %  ({} taps)",
                                       fmt::format("windows of {0}x{0}", 2 * w.reach + 1),
                                       100 * static_cast<double>(w.pixels) / static_cast<double>(pixels), w.taps));
  }
  return figures;
}

void run(const Call& call) {
  Progress progress;
  DeviceOptions device = call.device;
  device.progress = progress.sink();
  const auto make = [&call](const DeviceOptions& on) { return Trilateral(call.options, on); };
  // Each job has its own filter, since a filter on a GPU allocates new buffers whenever the size changes.
  std::deque<Trilateral> filters;
  filters.push_back(engine_to_time(device, make));
  const BenchPlace place(filters.front());
  const std::vector<NamedImage> images = read_images(call, progress);
  std::vector<BenchJob> jobs;
  for (const auto& [name, pixels] : images) {
    const ImageView image = pixels.view();
    std::string subject = fmt::format("{} at {}x{}", name, image.width, image.height);
    progress.show(subject + ", first run");
    if (!jobs.empty()) filters.push_back(engine_to_time(device, make));
    Trilateral& filter = filters.back();
    const auto stages = [&filter, image] {
      std::vector<StageTime> times;
      filter.filter(image, &times);
      return times;
    };
    filter.filter(image);
    const TrilateralWork work = filter.work();
    progress.show(subject + ", taps without bounds");
    const double unbounded = taps_unbounded(call, image, device.progress);
    jobs.push_back({.subject = std::move(subject),
                    .of_images = true,
                    .figures = figures_of(call, work, unbounded),
                    .work = {.run = [&filter, image] { filter.filter(image); }, .stages = stages}});
  }
  time_and_print(jobs, place, call.bench, progress);
}

}  // namespace

void add_bench_filter(Command& bench) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(bench, "filter", description, std::string(examples) + bench_json_manual);
  command.add_option("IMAGE", call->images, "Images, folders of them, or quoted patterns.")
      .required()
      .type_name("FILE");
  add_read_options(command, call->read);
  add_sizes(
      command, "--sizes", call->sizes,
      "Scale each image until it covers W by H pixels and crop it to this size around its centre. Several sizes are "
      "separated by commas. Range of both: 1 to 65535.");
  add_bench_options(command, call->bench);
  add_trilateral_options(command, call->options);
  add_device_options(command, call->device);
  command.callback([call] { run(*call); });
}

}  // namespace octavo::cli
