// The exact search, on random descriptors or on the descriptors of two images.

#include <fmt/core.h>

#include <random>
#include <utility>

#include "octavo/extractor.h"
#include "octavo/io/image_files.h"
#include "study/benchmark/work_benchmarks.h"

namespace octavo {
namespace {

// Two sets of descriptors to match.
struct DescriptorSets {
  std::string subject;
  Features a, b;
};

// The time of an exact search does not depend on the values of descriptors, so random bytes suffice.
Features random_descriptors(int size, std::mt19937& random) {
  Features features;
  features.keypoints.resize(static_cast<std::size_t>(size));
  features.descriptors.resize(features.size() * descriptor_length);
  for (std::uint8_t& byte : features.descriptors) byte = static_cast<std::uint8_t>(random() >> 24);
  return features;
}

// The extraction is not timed, so it tells its progress on every device.
DescriptorSets sets_of_images(const MatchBenchmark& benchmark, const DeviceOptions& device) {
  Extractor extractor(benchmark.sift, device);
  const auto features = [&](const std::filesystem::path& file) {
    report_item(device.progress, file.string());
    return extractor.extract(read_image(file, benchmark.read).view());
  };
  DescriptorSets sets{.subject = {}, .a = features(benchmark.images[0]), .b = features(benchmark.images[1])};
  sets.subject =
      fmt::format("{} against {} ({})", benchmark.images[0].string(), benchmark.images[1].string(), sets.b.size());
  return sets;
}

std::vector<DescriptorSets> random_sets(const MatchBenchmark& benchmark, const ProgressSink& progress) {
  std::vector<DescriptorSets> sets;
  std::mt19937 random(benchmark.seed);
  for (const int count : benchmark.descriptor_counts) {
    report_item(progress, fmt::format("{} random descriptors", count));
    Features a = random_descriptors(count, random);
    sets.push_back({fmt::format("{0} x {0}", count), std::move(a), random_descriptors(count, random)});
  }
  return sets;
}

}  // namespace

WorkReport measure_matching(const MatchBenchmark& benchmark, const ProgressSink& progress) {
  validate(benchmark.sift);
  DeviceOptions device = benchmark.device;
  device.progress = progress;
  Matcher matcher = engine_to_time(device, [&](const DeviceOptions& on) { return Matcher(benchmark.match, on); });
  std::vector<DescriptorSets> sets;
  if (benchmark.images.empty()) {
    sets = random_sets(benchmark, progress);
  } else {
    sets.push_back(sets_of_images(benchmark, device));
  }
  std::vector<TimedWork> work;
  for (const DescriptorSets& pair : sets) {
    const auto run = [&benchmark, &matcher, &pair] {
      if (benchmark.whole) {
        matcher.match(pair.a, pair.b);
      } else {
        matcher.nearest_two(pair.a.descriptors, pair.b.descriptors);
      }
    };
    work.push_back({.facts = {.subject = pair.subject, .keypoints = pair.a.size()}, .job = {.run = run}});
  }
  return time_work(work, BenchmarkPlace(matcher), benchmark.timing, progress);
}

}  // namespace octavo
