// Times the trilateral filter on any device: whole runs, from an image in host memory to an image in host memory, and
// each step by the device's own clock. On GPUs the last step also runs by other schedules (trilateral_schedules.cl.h).
// All results are compared with the CPU's, since the time of a wrong result has no meaning.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstring>
#include <fstream>
#include <functional>

#include "bench/gpu/images.h"
#include "bench/peers/record.h"
#include "bench/peers/timing.h"
#include "engine/device/registry.h"
#include "engine/trilateral/trilateral.h"
#include "engine/trilateral/trilateral_gpu.h"
#include "engine/trilateral/trilateral_work.h"
#include "octavo/image.h"

namespace octavo {
const KernelModule& trilateral_schedules_kernels();
}

namespace {

using Json = nlohmann::ordered_json;
using octavo::Plane;
using octavo::bench::median;
using octavo::bench::milliseconds;

struct Call {
  std::vector<std::string> images, devices;
  std::vector<double> sigmas{1.6};
  std::string json_file;
  int rounds = 50, threads = 0;
  bool certified = false, schedules = false;
};

struct Sides {
  int width, height;
};

bool same(const Plane& a, const Plane& b, Sides sides) {
  for (int y = 0; y < sides.height; ++y) {
    if (std::memcmp(a.row(y), b.row(y), static_cast<std::size_t>(sides.width) * sizeof(float)) != 0) return false;
  }
  return true;
}

// Filters the windows of one image by each of the schedules.
class Schedules {
 public:
  Schedules(const octavo::TrilateralOptions& options, const std::string& device, const octavo::ImageView& image)
      : gpu_(octavo::resolve_device({.name = device}).open_gpu()),
        queue_(gpu_->queue()),
        filter_(options, gpu_),
        sides_{image.width, image.height},
        stride_((image.width + 31) / 32 * 32) {
    const std::size_t pixels = static_cast<std::size_t>(stride_) * static_cast<std::size_t>(image.height);
    bytes_ = pixels * sizeof(float);
    grey_ = gpu_->allocate(bytes_);
    out_ = gpu_->allocate(bytes_);
    list_ = gpu_->allocate(bytes_);
    counts_ = gpu_->allocate(64 * sizeof(std::uint32_t));
    std::vector<float> grey(pixels);
    for (int y = 0; y < image.height; ++y) {
      float* const row = grey.data() + std::ptrdiff_t{y} * stride_;
      for (int x = 0; x < image.width; ++x) row[x] = static_cast<float>(image.row(y)[x]) * (1.0f / 255);
    }
    queue_->upload(*grey_, 0, grey.data(), bytes_);
    filter_.prepare({{image.width, image.height}});
    filter_.enqueue_range(*queue_, from());
    filter_.enqueue_levels(*queue_, from());
    filter_.enqueue_smoothing(*queue_);
    queue_->wait();
  }

  // The median time of each schedule, and whether its result equals `expected`.
  Json run(int rounds, const Plane& expected) {
    Json all = Json::array();
    const auto time = [&](const std::string& name, const std::function<void()>& enqueue) {
      queue_->clear(*out_, 0, bytes_);
      std::vector<double> times;
      for (int i = 0; i < rounds + 2; ++i) {
        const auto begin = queue_->event();
        enqueue();
        const auto end = queue_->event();
        queue_->wait();
        if (i >= 2) times.push_back(end->milliseconds_since(*begin));
      }
      all.push_back({{"schedule", name}, {"windows_ms", median(times)}, {"same_as_cpu", is(expected)}});
    };
    const auto kernel = [&](const char* name) { return gpu_->kernel(octavo::trilateral_schedules_kernels(), name); };
    const auto tiles = [&](const char* name, int width, int height, unsigned threads) {
      const auto k = kernel(name);
      time(name, [&] {
        filter_.enqueue_windows(*queue_, *k,
                                octavo::GpuGrid::of_rows(octavo::groups_for(sides_.width, width),
                                                         octavo::groups_for(sides_.height, height), threads),
                                from(), to());
      });
    };
    if (!filter_.schedule().whole_image) {
      tiles("filter_near", 32, 16, 256);
      tiles("near_in_place", 32, 16, 128);
      tiles("near_ordered_32x8", 32, 8, 64);
      tiles("near_ordered_32x16_by_128", 32, 16, 128);
      tiles("near_ordered_32x32", 32, 32, 256);
      tiles("near_ordered_64x16", 64, 16, 256);
    }
    tiles("far_ordered_32x16", 32, 16, 256);
    tiles("far_in_place", 32, 16, 128);
    tiles("far_ordered_32x8", 32, 8, 64);
    tiles("far_ordered_16x16", 16, 16, 32);
    tiles("far_ordered_32x16_by_128", 32, 16, 128);
    tiles("far_ordered_32x32", 32, 32, 256);
    tiles("filter_by_rows", 32, 16, 128);
    const auto count = kernel("count_levels"), begin = kernel("begin_levels"), list = kernel("list_pixels"),
               listed = kernel("filter_far");
    const octavo::GpuGrid blocks =
        octavo::GpuGrid::of_rows(octavo::groups_for(sides_.width, 32), octavo::groups_for(sides_.height, 8), 256);
    const auto order = [&] {
      queue_->clear(*counts_, 0, counts_->bytes());
      queue_->launch(*count, blocks, filter_.levels(), filter_.level_stride(), sides_.width, sides_.height, *counts_);
      queue_->launch(*begin, octavo::GpuGrid::of_groups(1, 32), *counts_);
      queue_->launch(*list, blocks, filter_.levels(), filter_.level_stride(), sides_.width, sides_.height, *counts_,
                     *list_);
    };
    const auto sum = [&] {
      filter_.enqueue_windows(*queue_, *listed,
                              octavo::GpuGrid::of_groups(octavo::groups_for(sides_.width * sides_.height, 128), 128),
                              from(), to(), *list_);
    };
    time("whole_image_ordered", [&] { order(), sum(); });
    time("whole_image_ordered, without the ordering", sum);
    return all;
  }

 private:
  [[nodiscard]] octavo::TrilateralGpu::Rows from() const { return {*grey_, 0, stride_}; }
  [[nodiscard]] octavo::TrilateralGpu::Rows to() const { return {*out_, 0, stride_}; }

  bool is(const Plane& expected) {
    std::vector<float> rows(bytes_ / sizeof(float));
    queue_->download(rows.data(), *out_, 0, bytes_);
    queue_->wait();
    for (int y = 0; y < sides_.height; ++y) {
      const float* const row = rows.data() + y * stride_;
      if (std::memcmp(row, expected.row(y), static_cast<std::size_t>(sides_.width) * sizeof(float)) != 0) return false;
    }
    return true;
  }

  std::shared_ptr<octavo::Gpu> gpu_;
  std::unique_ptr<octavo::GpuQueue> queue_;
  octavo::TrilateralGpu filter_;
  Sides sides_;
  int stride_;
  std::size_t bytes_ = 0;
  std::unique_ptr<octavo::GpuBuffer> grey_, out_, list_, counts_;
};

Json measured(const Call& call, const std::string& device, const octavo::ImageView& image, double sigma) {
  const octavo::TrilateralOptions options{.spatial_sigma = sigma,
                                          .trilateral_window = call.certified ? octavo::TrilateralWindow::certified
                                                                              : octavo::TrilateralWindow::power_of_two};
  const auto engine = octavo::make_trilateral_engine(options, {.name = device, .threads = call.threads});
  Plane expected, out;
  octavo::make_trilateral_engine(options, {.name = "cpu"})->filter(image, expected);
  const Sides sides{image.width, image.height};
  bool is_same = true;
  for (int i = 0; i < 3; ++i) {
    engine->filter(image, out);
    is_same = is_same && same(out, expected, sides);
  }
  octavo::TrilateralLevels levels;
  engine->fetch_levels(levels);
  const auto work = octavo::trilateral_work(levels, octavo::plan_trilateral(options), engine->schedule());

  std::vector<double> whole, together;
  for (int i = 0; i < call.rounds; ++i) whole.push_back(milliseconds([&] { engine->filter(image, out); }));
  std::vector<std::vector<double>> stages;
  std::vector<octavo::StageTime> times;
  for (int i = 0; i < call.rounds; ++i) {
    times.clear();
    engine->filter(image, out, &times);
    stages.resize(times.size());
    double sum = 0;
    for (std::size_t s = 0; s < times.size(); ++s) {
      stages[s].push_back(times[s].milliseconds);
      if (times[s].stage != "upload" && times[s].stage != "download") sum += times[s].milliseconds;
    }
    together.push_back(sum);
  }
  Json row{{"device", device},
           {"width", image.width},
           {"height", image.height},
           {"sigma", sigma},
           {"filter_ms", median(whole)},
           {"smallest_ms", std::ranges::min(whole)},
           {"all_steps_ms", median(together)},
           {"mean_taps", work.taps},
           {"imbalance", work.imbalance},
           {"occupancy", work.occupancy}};
  for (std::size_t s = 0; s < times.size(); ++s) row["stages"][times[s].stage] = median(stages[s]);
  row["same_as_cpu"] = is_same;
  if (call.schedules && octavo::resolve_device({.name = device}).is_gpu()) {
    row["schedules"] = Schedules(options, device, image).run(call.rounds, expected);
  }
  return row;
}

// Whether all results of a row equal the CPU's.
bool right(const Json& row) {
  bool all = row.at("same_as_cpu");
  for (const Json& schedule : row.value("schedules", Json::array())) all = all && schedule.at("same_as_cpu");
  return all;
}

}  // namespace

int main(int argc, char** argv) try {
  Call call;
  CLI::App app("Octavo's trilateral filter on any device: whole filterings, their steps, and schedules of windows");
  app.add_option("PGM", call.images, "binary PGM files of 8 bits")->required();
  app.add_option("--device", call.devices, "a device; may be given again")->required()->allow_extra_args(false);
  app.add_option("--sigma", call.sigmas, "of the spatial weights [pixel]; several with commas between")->delimiter(',');
  app.add_flag("--certified", call.certified, "windows reach as far as gradients are alike");
  app.add_option("--threads", call.threads, "of the CPU, 0: all");
  app.add_option("--rounds", call.rounds, "of which the median counts")->check(CLI::Range(1, 100'000));
  app.add_flag("--schedules", call.schedules, "time other schedules of the windows too");
  app.add_option("--json", call.json_file, "also write the figures to this file");
  CLI11_PARSE(app, argc, argv);

  Json report = octavo::bench::record(argc, argv);
  for (const octavo::Device& d : octavo::list_devices()) report["devices"].push_back(d.name + ": " + d.description);
  report["rounds"] = call.rounds;
  bool all_right = true;
  for (const std::string& device : call.devices) {
    for (const std::string& file : call.images) {
      const octavo::Image image = octavo::bench::read_pgm(file);
      for (const double sigma : call.sigmas) {
        Json row{{"image", file.substr(file.rfind('/') + 1)}};
        row.update(measured(call, device, image.view(), sigma));
        all_right = all_right && right(row);
        fmt::print("{}\n", row.dump());
        std::fflush(stdout);
        report["results"].push_back(row);
      }
    }
  }
  if (!call.json_file.empty()) std::ofstream(call.json_file) << report.dump(2) << '\n';
  if (!all_right) fmt::print(stderr, "an answer is not that of the CPU\n");
  return all_right ? 0 : 1;
} catch (const std::exception& e) {
  fmt::print(stderr, "{}\n", e.what());
  return 1;
}
