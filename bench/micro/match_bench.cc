// Times matching on random descriptors: every instruction set of this machine on one thread, and the best one on all
// cores.

#include <benchmark/benchmark.h>

#include <random>
#include <string>

#include "octavo/matcher.h"

namespace octavo {
namespace {

Features random_features(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  Features features;
  features.keypoints.resize(n);
  features.descriptors.resize(n * descriptor_length);
  for (Keypoint& k : features.keypoints) {
    k.x = static_cast<float>(random() % 1920);
    k.y = static_cast<float>(random() % 1080);
  }
  for (std::uint8_t& x : features.descriptors) x = static_cast<std::uint8_t>(random() % 128);
  return features;
}

void count_pairs(benchmark::State& state, std::size_t pairs) {
  state.counters["pairs"] =
      benchmark::Counter(static_cast<double>(pairs), benchmark::Counter::kIsIterationInvariantRate);
}

void nearest_two(benchmark::State& state, const DeviceOptions& device) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const Features a = random_features(n, 1), b = random_features(n, 2);
  Matcher matcher({}, device);
  for (auto _ : state) benchmark::DoNotOptimize(matcher.nearest_two(a.descriptors, b.descriptors));
  count_pairs(state, n * n);
}

void match_mutual(benchmark::State& state, const DeviceOptions& device) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const Features a = random_features(n, 1), b = random_features(n, 2);
  Matcher matcher({}, device);
  for (auto _ : state) benchmark::DoNotOptimize(matcher.match(a, b));
  count_pairs(state, n * n);
}

// Matches along epipolar lines that fan out from a corner of the image.
void match_guided(benchmark::State& state, const DeviceOptions& device) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const Features a = random_features(n, 1), b = random_features(n, 2);
  const Guide guide{.model = Guide::Model::fundamental, .b_from_a = {0, -1, 1, 1, 0, -1, -1, 1, 0}};
  Matcher matcher({}, device);
  for (auto _ : state) benchmark::DoNotOptimize(matcher.match(a, b, guide));
  count_pairs(state, n * n);
}

// Matches one image of 2000 keypoints with many images of 500.
void match_collection(benchmark::State& state, const DeviceOptions& device) {
  const auto images = static_cast<std::size_t>(state.range(0));
  const Features a = random_features(2000, 1), b = random_features(500, 2);
  const std::vector<const Features*> collection(images, &b);
  Matcher matcher({}, device);
  for (auto _ : state) benchmark::DoNotOptimize(matcher.match(a, collection));
  count_pairs(state, a.size() * b.size() * images);
}

// Registers the benchmarks before main, since their names depend on the machine.
const bool registered = [] {
  const auto add = [](const std::string& operation, auto function, const DeviceOptions& device, std::int64_t size) {
    const std::string threads = device.threads == 0 ? "every core" : std::to_string(device.threads) + " thread";
    benchmark::RegisterBenchmark((operation + "/" + device.isa + "/" + threads).c_str(), function, device)
        ->Arg(size)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  };
  std::vector<std::string> isas;
  for (const Device& found : list_devices()) {
    if (found.name == "cpu") isas = found.isas;
  }
  for (const std::string& isa : isas) add("nearest_two", nearest_two, {"cpu", 1, isa}, 2048);
  for (const int threads : {1, 0}) {
    const DeviceOptions device{"cpu", threads, isas.front()};
    add("nearest_two", nearest_two, device, 8192);
    add("match_mutual", match_mutual, device, 8192);
    add("match_guided", match_guided, device, 8192);
    add("match_collection", match_collection, device, 200);
  }
  return true;
}();

}  // namespace
}  // namespace octavo
