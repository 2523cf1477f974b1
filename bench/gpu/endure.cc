// Runs thousands of extractions of images of changing sizes, with masks and budgets, by lasting and by short-lived
// extractors. Memory must not grow, and the features must stay those of the CPU.

#include <fmt/core.h>
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <fstream>

#include "bench/gpu/memory_in_use.h"
#include "bench/peers/record.h"
#include "engine/selftest/images.h"
#include "octavo/extractor.h"
#include "octavo/image.h"
#include "octavo/sift_options.h"

namespace {

using Json = nlohmann::ordered_json;

struct Call {
  std::vector<std::string> devices;
  std::string json_file;
  int extractions = 10'000, smallest = 16, largest = 1500, check_every = 100, new_every = 100;
  double bound = 64;
};

constexpr int no_gpu = 77;  // the exit code that ctest reports as skipped

const std::array<octavo::SiftOptions, 4> option_sets{
    {{}, {.first_octave = 0}, {.max_features = 500}, {.first_octave = 0, .max_features = 100, .grid = 4}}};

std::vector<std::string> every_gpu() {
  std::vector<std::string> names;
  for (const octavo::Device& d : octavo::list_devices()) {
    if (d.conformant && d.kind != "cpu" && d.kind != "reference") names.push_back(d.name);
  }
  return names;
}

class Endurance {
 public:
  Endurance(const Call& call, const std::string& device) : call_(call), device_(device) {
    const int side = call.largest;
    images_.push_back(octavo::images::noise(side, side));
    images_.push_back(octavo::images::blobs(side, side));
    images_.push_back(octavo::images::checkerboard(side, side, 9));
    mask_ = octavo::images::checkerboard(side, side, 40);
    for (const octavo::SiftOptions& options : option_sets) {
      kept_.emplace_back(options, octavo::DeviceOptions{.name = device});
      cpus_.emplace_back(options, octavo::DeviceOptions{.name = "cpu"});
    }
  }

  Json run() {
    Json report{{"device", device_}, {"extractions", call_.extractions}};
    use_largest();
    report["memory_mib"].push_back(as_json(0, sample(0)));
    const int settled = call_.extractions / 10;
    octavo::bench::MemoryInUse before, after;
    for (int i = 1; i <= call_.extractions; ++i) {
      extract_one(i);
      if (i % settled != 0 && i != call_.extractions) continue;
      after = sample(i);
      if (i == settled) before = after;
      report["memory_mib"].push_back(as_json(i, after));
    }
    const double host = after.host - before.host, gpu = after.gpu.value_or(0) - before.gpu.value_or(0);
    report["growth_mib"] = {{"host", host}};
    if (after.gpu) report["growth_mib"]["gpu"] = gpu;
    report["checked"] = checked_;
    report["same_as_cpu"] = wrong_ == 0;
    report["passed"] = wrong_ == 0 && host <= call_.bound && gpu <= call_.bound;
    return report;
  }

 private:
  int random(int least, int most) {
    return least + static_cast<int>(octavo::images::next_random(state_) % static_cast<unsigned>(most - least + 1));
  }

  // Makes all buffers as large as they can become, so that any growth after this is a leak.
  void use_largest() {
    for (std::size_t i = 0; i < option_sets.size(); ++i) {
      for (const octavo::Image& whole : images_) {
        kept_[i].extract(whole.view(), &mask_.view());
        kept_[i].extract(whole.view());
        cpus_[i].extract(whole.view());
      }
    }
  }

  void extract_one(int index) {
    const octavo::Image& whole = images_[static_cast<std::size_t>(random(0, 2))];
    octavo::ImageView image = whole.view(), mask = mask_.view();
    image.width = mask.width = random(call_.smallest, call_.largest);
    image.height = mask.height = random(call_.smallest, call_.largest);
    image.data = whole.row(random(0, whole.height() - image.height)) + random(0, whole.width() - image.width);
    const octavo::ImageView* masked = random(0, 3) == 0 ? &mask : nullptr;

    auto set = static_cast<std::size_t>(random(0, static_cast<int>(option_sets.size()) - 1));
    if (index % call_.new_every == 1) {
      new_set_ = set;
      new_.reset();
      new_.emplace(option_sets[set], octavo::DeviceOptions{.name = device_});
    }
    const bool by_new = new_ && random(0, 9) == 0;
    if (by_new) set = new_set_;
    const octavo::Features found = (by_new ? *new_ : kept_[set]).extract(image, masked);
    if (index % call_.check_every != 1) return;
    ++checked_;
    if (found == cpus_[set].extract(image, masked)) return;
    ++wrong_;
    fmt::print(stderr, "{}: extraction {} differs from the CPU's\n", device_, index);
  }

  // The memory in use without that of the new extractor, whose buffers depend on the size of its largest image, and
  // without the free memory that malloc keeps.
  octavo::bench::MemoryInUse sample(int extractions) {
    new_.reset();
    malloc_trim(0);
    const octavo::bench::MemoryInUse now = octavo::bench::memory_in_use();
    fmt::print("{}: after {:6}: {:8.1f} MiB of the host", device_, extractions, now.host);
    if (now.gpu) fmt::print(", {:8.1f} MiB of the GPUs", *now.gpu);
    fmt::print("\n");
    std::fflush(stdout);
    return now;
  }

  static Json as_json(int extractions, const octavo::bench::MemoryInUse& now) {
    Json json{{"after", extractions}, {"host", now.host}};
    if (now.gpu) json["gpu"] = *now.gpu;
    return json;
  }

  const Call& call_;
  std::string device_;
  std::vector<octavo::Image> images_;
  octavo::Image mask_;
  std::vector<octavo::Extractor> kept_, cpus_;
  std::optional<octavo::Extractor> new_;
  std::size_t new_set_ = 0;
  std::uint64_t state_ = 1;
  int checked_ = 0, wrong_ = 0;
};

}  // namespace

int main(int argc, char** argv) try {
  Call call;
  CLI::App app("Octavo's endurance: memory must not grow over many extractions of changing images");
  app.add_option("--device", call.devices, "may be given again; every GPU of the machine by default")
      ->allow_extra_args(false);
  app.add_option("--extractions", call.extractions)->check(CLI::Range(10, 100'000'000));
  app.add_option("--smallest", call.smallest, "side of an image [pixel]")->check(CLI::Range(1, 10'000));
  app.add_option("--largest", call.largest, "side of an image [pixel]")->check(CLI::Range(1, 10'000));
  app.add_option("--check-every", call.check_every, "compare each Nth with the CPU's")->check(CLI::Range(2, 1'000'000));
  app.add_option("--new-every", call.new_every, "make a new extractor at each Nth")->check(CLI::Range(2, 1'000'000));
  app.add_option("--bound", call.bound, "growth allowed after the first tenth, of the host and of the GPUs [MiB]");
  app.add_option("--json", call.json_file, "also write the figures to this file");
  CLI11_PARSE(app, argc, argv);

  if (call.devices.empty()) call.devices = every_gpu();
  if (call.devices.empty()) {
    fmt::print("no GPU: neither CUDA nor OpenCL offers one\n");
    return no_gpu;
  }
  call.smallest = std::min(call.smallest, call.largest);
  Json report = octavo::bench::record(argc, argv);
  report["bound_mib"] = call.bound;
  bool passed = true;
  for (const std::string& device : call.devices) {
    report["results"].push_back(Endurance(call, device).run());
    const Json& result = report["results"].back();
    passed = passed && result["passed"].get<bool>();
    fmt::print("{}\n", result.dump());
  }
  if (!call.json_file.empty()) std::ofstream(call.json_file) << report.dump(2) << '\n';
  return passed ? 0 : 1;
} catch (const std::exception& e) {
  fmt::print(stderr, "{}\n", e.what());
  return 1;
}
