// octavo bench filter: the time of the trilateral filter, step by step, and how much work its windows are.

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/bench/bench.h"
#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/json_text.h"
#include "cli/options.h"
#include "cli/resize.h"
#include "octavo/error.h"
#include "octavo/imageio.h"
#include "octavo/trilateral.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(time the trilateral filter

Reads the images, then times their filtering, from pixels in host memory to
pixels there. The steps are timed beside it in runs of their own, on a GPU by
its own clock.

Told besides is how much work the windows are: how many pixels have a window of
which size, how many taps the mean window has, how many it would have if windows
did not end where weights vanish (as in the sources), and the imbalance: the
taps that lanes of a vector or threads of a warp go through together, over the
taps that count.)";

constexpr auto examples = R"(Examples:
  octavo bench filter photo.jpg --resize 640x640,1920x1080 --threads 1
  octavo bench filter photo.jpg --sigma 3.1 --device cuda:0 --json

Besides what is below, the JSON has "sigma", "window" and "work": {"lanes",
"imbalance", "lanes_busy" (one over it), "occupancy" (of a CUDA GPU, or 0),
"taps", "taps_unbounded", "skipped", "windows": [{"level", "reach", "taps",
"pixels"}, ...]}.

)";

// What the command line asks for.
struct Call {
  std::vector<std::string> images;
  bool apply_exif_rotation = true;
  std::vector<Size> sizes;
  BenchOptions bench;
  TrilateralOptions options;
  DeviceOptions device;
};

struct Picture {
  std::string name;
  Image image;
};

std::vector<Picture> read_pictures(const Call& call) {
  const Inputs inputs = find_inputs(call.images, false);
  if (!inputs.problems.empty()) throw Error(ErrorCode::file_error, inputs.problems.front());
  std::vector<Picture> pictures;
  for (const Input& input : inputs.pictures) {
    Image image = read_image(input.file, call.apply_exif_rotation);
    for (const Size& size : call.sizes) {
      pictures.push_back({input.file.string(), resize_and_crop(image.view(), size)});
    }
    if (call.sizes.empty()) pictures.push_back({input.file.string(), std::move(image)});
  }
  return pictures;
}

// Taps of the mean window if no window ended where weights vanish. How far gradients are alike does not depend on σ,
// and the levels of certified windows of the largest σ have no other bound than the image's size.
double taps_unbounded(const Call& call, const ImageView& image) {
  TrilateralOptions options = call.options;
  options.sigma = 32;
  options.window = TrilateralWindow::certified;
  Trilateral trilateral(options, {.name = "cpu", .threads = call.device.threads, .isa = call.device.isa});
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
  auto windows = nlohmann::ordered_json::array();
  for (const auto& w : work.windows) {
    windows.push_back({{"level", w.level}, {"reach", w.reach}, {"taps", w.taps}, {"pixels", w.pixels}});
  }
  const double skipped = 1 - work.taps / unbounded;
  BenchFigures figures;
  figures.json = {{"sigma", call.options.sigma},
                  {"window", call.options.window == TrilateralWindow::certified ? "certified" : "power-of-two"},
                  {"work",
                   {{"lanes", work.lanes},
                    {"imbalance", work.imbalance},
                    {"lanes_busy", 1 / work.imbalance},
                    {"occupancy", work.occupancy},
                    {"taps", work.taps},
                    {"taps_unbounded", unbounded},
                    {"skipped", skipped},
                    {"windows", windows}}}};
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
  std::deque<Trilateral> filters;  // one each: going to and fro between sizes costs a GPU new buffers each time
  filters.emplace_back(call.options, call.device);
  const BenchPlace place(filters.front());
  const std::vector<Picture> pictures = read_pictures(call);
  std::vector<BenchJob> jobs;
  for (const auto& [name, picture] : pictures) {
    const ImageView image = picture.view();
    Trilateral& filter = jobs.empty() ? filters.front() : filters.emplace_back(call.options, call.device);
    const auto stages = [&filter, image] {
      std::vector<StageTime> times;
      filter.filter(image, &times);
      return times;
    };
    filter.filter(image);
    jobs.push_back({.subject = fmt::format("{} at {}x{}", name, image.width, image.height),
                    .images = 1,
                    .figures = figures_of(call, filter.work(), taps_unbounded(call, image)),
                    .run = [&filter, image] { filter.filter(image); },
                    .stages = stages});
  }
  print_results(time_jobs(jobs, call.bench), place, call.bench.json);
}

}  // namespace

void add_bench_filter(CLI::App& bench) {
  const auto call = std::make_shared<Call>();
  CLI::App& command = add_command(bench, "filter", description, std::string(examples) + bench_json_manual);
  command.add_option("IMAGE", call->images, "Pictures, folders of them, or quoted patterns.")
      ->required()
      ->type_name("FILE");
  add_read_options(command, call->apply_exif_rotation);
  add_sizes(
      command, "--resize", call->sizes,
      "Scale each picture until it covers W by H pixels and cut what is over, the same on all sides; for each of the "
      "sizes, with commas between. Range of both: 1 to 65535.");
  add_bench_options(command, call->bench);
  add_trilateral_options(command, call->options);
  add_device_options(command, call->device);
  command.callback([call] { run(*call); });
}

}  // namespace octavo::cli
