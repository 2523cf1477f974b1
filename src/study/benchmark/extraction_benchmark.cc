// Extraction of one image at a time, whole and by stage, or of a stream of images.

#include <fmt/core.h>

#include <map>
#include <tuple>
#include <utility>

#include "octavo/extractor.h"
#include "study/benchmark/sized_images.h"
#include "study/benchmark/work_benchmarks.h"

namespace octavo {
namespace {

// One extractor for each kind of image. An extractor on a GPU allocates new buffers whenever the size changes.
class Extractors {
 public:
  Extractors(const DetectorOptions& detector, const DeviceOptions& device) : detector_(detector), device_(device) {}

  Extractor& of(const ImageView& image) {
    const auto kind = std::tuple(image.width, image.height, image.channels, image.type);
    auto found = all_.find(kind);
    if (found == all_.end()) {
      const auto make = [this](const DeviceOptions& device) { return make_extractor(detector_, device); };
      found = all_.emplace(kind, engine_to_time(device_, make)).first;
    }
    return found->second;
  }

 private:
  const DetectorOptions& detector_;
  const DeviceOptions& device_;
  std::map<std::tuple<int, int, int, PixelType>, Extractor> all_;
};

TimedWork extraction_of(const SizedImage& sized, Extractors& extractors, const ProgressSink& progress) {
  const ImageView image = sized.image.view();
  report_item(progress, sized.subject() + ", first run");
  Extractor& extractor = extractors.of(image);
  const auto stages = [&extractor, image] {
    std::vector<StageTime> times;
    extractor.extract(image, nullptr, &times);
    return times;
  };
  return {.facts = {.subject = sized.subject(),
                    .keypoints = extractor.extract(image).size(),
                    .mode = "latency",
                    .of_images = true},
          .job = {.run = [&extractor, image] { extractor.extract(image); }, .stages = stages}};
}

TimedWork stream_of(const std::vector<SizedImage>& images, const ExtractionBenchmark& benchmark, Extractors& extractors,
                    const ProgressSink& progress) {
  const ImageView& first = images.front().image.view();
  std::string subject = images.size() == 1 ? images.front().name : fmt::format("{} images", images.size());
  if (!benchmark.input.sizes.empty() || images.size() == 1) {
    subject += fmt::format(" at {}x{}", first.width, first.height);
  }
  subject += fmt::format(", {} in flight", benchmark.in_flight);
  report_item(progress, subject + ", first run");
  Extractor& extractor = extractors.of(first);
  std::vector<ImageView> views;
  for (const SizedImage& image : images) views.push_back(image.image.view());
  const auto length = static_cast<std::size_t>(benchmark.stream);
  const auto stream = [&extractor, views, length, in_flight = benchmark.in_flight] {
    return extract_stream(extractor, views, length, in_flight);
  };
  return {
      .facts = {.subject = std::move(subject), .keypoints = stream() / length, .mode = "throughput", .of_images = true},
      .job = {.run = stream, .parts = benchmark.stream}};
}

}  // namespace

WorkReport measure_extraction(const ExtractionBenchmark& benchmark, const ProgressSink& progress) {
  DeviceOptions device = benchmark.device;
  device.progress = progress;
  const BenchmarkPlace place(make_extractor(benchmark.detector, device));
  const std::vector<std::vector<SizedImage>> by_size = images_by_size(benchmark.input, progress);
  Extractors extractors(benchmark.detector, device);
  std::vector<TimedWork> work;
  for (const std::vector<SizedImage>& images : by_size) {
    if (benchmark.is_stream) {
      work.push_back(stream_of(images, benchmark, extractors, progress));
    } else {
      for (const SizedImage& image : images) work.push_back(extraction_of(image, extractors, progress));
    }
  }
  return time_work(work, place, benchmark.timing, progress);
}

}  // namespace octavo
