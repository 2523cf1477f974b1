// Times the search for the two nearest neighbours of N descriptors among N others on a GPU. The device's own clock
// measures the work on the device alone, from descriptors in its memory to neighbours in its memory. The results of the
// smallest sizes are compared with the CPU's.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <random>

#include "bench/peers/record.h"
#include "bench/peers/timing.h"
#include "engine/device/registry.h"
#include "engine/match/nearest_gpu.h"

namespace {

using Json = nlohmann::ordered_json;

// The number of sizes whose results are compared with the CPU's.
constexpr std::size_t checked_sizes = 2;

std::vector<std::uint8_t> random_descriptors(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> bytes(n * octavo::descriptor_length);
  for (std::uint8_t& x : bytes) x = static_cast<std::uint8_t>(random() % 128);
  return bytes;
}

bool same_as_cpu(octavo::Descriptors a, octavo::Descriptors b, bool both, const octavo::Neighbours& ours) {
  bool same = false;
  octavo::make_nearest(octavo::resolve_device({.name = "cpu"}))
      ->search(a, {&b, 1}, both,
               [&](const octavo::Neighbours& theirs) { same = ours.of_a == theirs.of_a && ours.of_b == theirs.of_b; });
  return same;
}

struct Bench {
  std::unique_ptr<octavo::GpuNearest> nearest;
  std::unique_ptr<octavo::GpuQueue> queue;
  int rounds;

  Json time(int n, bool both, bool check) {
    const std::vector<std::uint8_t> a = random_descriptors(n, 1), b = random_descriptors(n, 2);
    const octavo::Descriptors set = b;
    nearest->upload(*queue, a, {&set, 1});
    // The queue is never empty, so that the host's time for a launch does not count as the device's.
    std::vector<std::unique_ptr<octavo::GpuEvent>> ends;
    for (int round = 0; round <= rounds; ++round) {  // round 0 is a warm-up
      nearest->enqueue(*queue, both);
      ends.push_back(queue->event());
    }
    queue->wait();
    std::vector<double> times;
    for (std::size_t i = 1; i < ends.size(); ++i) times.push_back(ends[i]->milliseconds_since(*ends[i - 1]));
    const octavo::Neighbours found = nearest->download(*queue).at(0);
    const double median = octavo::bench::median(times);
    Json row{{"size", n},
             {"both", both},
             {"device_ms", median},
             {"smallest_ms", std::ranges::min(times)},
             {"tera_operations_per_s", 2e-9 * octavo::descriptor_length * n * n * (both ? 2 : 1) / median}};
    if (check) row["same_as_cpu"] = same_as_cpu(a, b, both, found);
    return row;
  }
};

}  // namespace

int main(int argc, char** argv) try {
  std::string device = "cuda:0", json_file;
  std::vector<int> sizes{2048, 4096, 8192, 16384, 32768, 65536};
  int rounds = 50;
  CLI::App app("Octavo's matching on a GPU, the device's time alone");
  app.add_option("--device", device, "a GPU, as cuda:0");
  app.add_option("--sizes", sizes, "descriptors in each set")->delimiter(',')->check(CLI::Range(2, 1'000'000));
  app.add_option("--rounds", rounds, "of which the median counts")->check(CLI::Range(1, 1000));
  app.add_option("--json", json_file, "also write the figures to this file");
  CLI11_PARSE(app, argc, argv);

  const std::shared_ptr<octavo::Gpu> gpu = octavo::resolve_device({.name = device}).open_gpu();
  Bench bench{std::make_unique<octavo::GpuNearest>(gpu), gpu->queue(), rounds};
  Json report = octavo::bench::record(argc, argv);
  report["gpu"] = gpu->facts().description;
  report["rounds"] = rounds;
  std::ranges::sort(sizes);
  fmt::print("{}\n{:>8} {:>5} {:>12} {:>10} {:>8}\n", gpu->facts().description, "size", "both", "device [ms]", "Tops/s",
             "checked");
  bool agreed = true;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    for (const bool both : {false, true}) {
      const Json row = bench.time(sizes[i], both, i < checked_sizes);
      const bool same = row.value("same_as_cpu", true);
      fmt::print("{:8} {:>5} {:12.4f} {:10.1f} {:>8}\n", sizes[i], both ? "yes" : "no", row["device_ms"].get<double>(),
                 row["tera_operations_per_s"].get<double>(),
                 !same               ? "WRONG"
                 : i < checked_sizes ? "same"
                                     : "");
      agreed = agreed && same;
      report["results"].push_back(row);
    }
  }
  if (!json_file.empty()) std::ofstream(json_file) << report.dump(2) << '\n';
  if (!agreed) fmt::print(stderr, "{} does not find the neighbours that the CPU finds\n", device);
  return agreed ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
