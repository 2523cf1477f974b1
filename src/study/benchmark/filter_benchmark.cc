// The trilateral filter, step by step, and the work of its windows.

#include <fmt/core.h>

#include <deque>
#include <utility>

#include "study/benchmark/sized_images.h"
#include "study/benchmark/work_benchmarks.h"

namespace octavo {
namespace {

// Taps of the mean window if no window ended where weights vanish. The distance over which gradients are alike does not
// depend on σ. At the largest σ, only the image's size bounds the levels of certified windows.
double unbounded_taps(const FilterBenchmark& benchmark, const ImageView& image, const ProgressSink& progress) {
  TrilateralOptions options = benchmark.options;
  options.spatial_sigma = 32;
  options.trilateral_window = TrilateralWindow::certified;
  const DeviceOptions& device = benchmark.device;
  Trilateral trilateral(options, {.name = "cpu", .threads = device.threads, .isa = device.isa, .progress = progress});
  trilateral.filter(image);
  double taps = 0, pixels = 0;
  for (const auto& w : trilateral.work().windows) {
    const double reach =
        benchmark.options.trilateral_window == TrilateralWindow::certified ? w.level : (1 << w.level) / 2;
    taps += static_cast<double>(w.pixels) * (2 * reach + 1) * (2 * reach + 1);
    pixels += static_cast<double>(w.pixels);
  }
  return taps / pixels;
}

Json json_of_filter(const FilterBenchmark& benchmark, const TrilateralWork& work, double unbounded) {
  Json windows = Json::array();
  for (const auto& w : work.windows) {
    windows.push_back({{"level", w.level}, {"reach", w.reach}, {"tap_count", w.taps}, {"pixel_count", w.pixels}});
  }
  Json json = parse_json(json_of(option_table<TrilateralOptions>(), benchmark.options));
  json["work"] = {{"lane_count", work.lanes},
                  {"imbalance", work.imbalance},
                  {"busy_share", 1 / work.imbalance},
                  {"occupancy", work.occupancy},
                  {"tap_count", work.taps},
                  {"unbounded_tap_count", unbounded},
                  {"skipped_share", 1 - work.taps / unbounded},
                  {"windows", windows}};
  return json;
}

std::vector<std::string> lines_of_filter(const TrilateralWork& work, double unbounded) {
  std::vector<std::string> lines{
      fmt::format("{:<24}{:>10.1f}    ({:.1f} if windows had no bound: {:.1f} % skipped)", "taps of a mean window",
                  work.taps, unbounded, 100 * (1 - work.taps / unbounded)),
      fmt::format("{:<24}{:>10.3f}    (of {} lanes {:.1f} % are busy)", "imbalance", work.imbalance, work.lanes,
                  100 / work.imbalance)};
  if (work.occupancy > 0) {
    lines.push_back(
        fmt::format("{:<24}{:>10.1f} %  (threads that a multiprocessor holds)", "occupancy", 100 * work.occupancy));
  }
  double pixels = 0;
  for (const auto& w : work.windows) pixels += static_cast<double>(w.pixels);
  for (const auto& w : work.windows) {
    lines.push_back(fmt::format("  {:<22}{:>10.1f} %  ({} taps)", fmt::format("windows of {0}x{0}", 2 * w.reach + 1),
                                100 * static_cast<double>(w.pixels) / pixels, w.taps));
  }
  return lines;
}

TimedWork filtering_of(const SizedImage& sized, const FilterBenchmark& benchmark, Trilateral& filter,
                       const ProgressSink& progress) {
  const ImageView image = sized.image.view();
  report_item(progress, sized.subject() + ", first run");
  const auto stages = [&filter, image] {
    std::vector<StageTime> times;
    filter.filter(image, &times);
    return times;
  };
  filter.filter(image);
  const TrilateralWork work = filter.work();
  report_item(progress, sized.subject() + ", taps without bounds");
  const double unbounded = unbounded_taps(benchmark, image, progress);
  return {.facts = {.subject = sized.subject(),
                    .of_images = true,
                    .json = json_of_filter(benchmark, work, unbounded),
                    .lines = lines_of_filter(work, unbounded)},
          .job = {.run = [&filter, image] { filter.filter(image); }, .stages = stages}};
}

}  // namespace

WorkReport measure_filter(const FilterBenchmark& benchmark, const ProgressSink& progress) {
  DeviceOptions device = benchmark.device;
  device.progress = progress;
  const auto make = [&](const DeviceOptions& on) { return Trilateral(benchmark.options, on); };
  // Each image has its own filter, since a filter on a GPU allocates new buffers whenever the size changes.
  std::deque<Trilateral> filters;
  filters.push_back(engine_to_time(device, make));
  const BenchmarkPlace place(filters.front());
  const std::vector<std::vector<SizedImage>> by_size = images_by_size(benchmark.input, progress);
  std::vector<TimedWork> work;
  for (const std::vector<SizedImage>& images : by_size) {
    for (const SizedImage& image : images) {
      if (!work.empty()) filters.push_back(engine_to_time(device, make));
      work.push_back(filtering_of(image, benchmark, filters.back(), progress));
    }
  }
  return time_work(work, place, benchmark.timing, progress);
}

}  // namespace octavo
