// Implementations that are extractors of Octavo.

#include <string>
#include <utility>

#include "engine/core/stopwatch.h"
#include "study/benchmark/benchmark.h"

namespace octavo {
namespace {

class ExtractorImplementation : public BenchmarkImplementation {
 public:
  explicit ExtractorImplementation(std::function<Extractor(int max_features)> make)
      : make_(std::move(make)), extractor_(make_(budget_)) {}

  [[nodiscard]] ImplementationFacts facts() const override {
    const std::string& device = extractor_.device();
    const int threads = extractor_.threads();
    const ImplementationKind kind = device == "cpu"         ? ImplementationKind::cpu
                                    : device == "reference" ? ImplementationKind::reference
                                                            : ImplementationKind::gpu;
    // A GPU's times hardly depend on the number of CPU threads.
    if (kind == ImplementationKind::gpu) return {device, description(), kind, 0};
    return {device + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads"), description(), kind,
            threads};
  }

  std::size_t prepare(const ImageView& image, int max_features) override {
    image_ = image;
    if (max_features != budget_) {
      extractor_ = make_(max_features);
      budget_ = max_features;
    }
    return extractor_.extract(image_).size();
  }

  double run() override {
    const Stopwatch stopwatch;
    const Features features = extractor_.extract(image_);
    return stopwatch.milliseconds();
  }

  std::vector<StageTime> stages() override {
    std::vector<StageTime> times;
    extractor_.extract(image_, nullptr, &times);
    return times;
  }

  [[nodiscard]] std::optional<MemoryBytes> memory() const override {
    MemoryBytes all;
    for (const MemoryEstimate& on_one : extractor_.estimate(image_)) all += on_one.need.usual;
    return all;
  }

 private:
  [[nodiscard]] std::string description() const {
    if (extractor_.device() == "cpu") return "vectors, " + extractor_.isa();
    for (const Device& device : list_devices()) {
      if (device.name == extractor_.device()) return device.description;
    }
    return extractor_.isa();
  }

  std::function<Extractor(int max_features)> make_;
  int budget_ = 0;
  Extractor extractor_;
  ImageView image_;
};

}  // namespace

std::unique_ptr<BenchmarkImplementation> benchmark_implementation(std::function<Extractor(int max_features)> make) {
  return std::make_unique<ExtractorImplementation>(std::move(make));
}

std::vector<DeviceOptions> devices_to_compare() {
  std::vector<DeviceOptions> devices{
      {.name = "reference", .threads = 1}, {.name = "cpu", .threads = 1}, {.name = "cpu"}};
  for (const Device& device : list_devices()) {
    const bool gpu = device.kind == "cuda" || device.kind == "opencl";
    if (gpu && device.conformant && device.note.empty()) devices.push_back({.name = device.name});
  }
  return devices;
}

}  // namespace octavo
