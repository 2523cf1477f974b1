// The device's engine finds the corners; what all devices share happens here: masks and budgets.

#include "foagdd/foagdd_extraction.h"

#include <memory>
#include <utility>

#include "device/cpu_isa.h"
#include "device/cpu_pool.h"
#include "device/registry.h"
#include "foagdd/foagdd.h"
#include "octavo/foagdd.h"
#include "sift/selection.h"
#include "sift/stage_clock.h"

namespace octavo {

namespace {

class FoagddExtraction : public Extraction {
 public:
  FoagddExtraction(const FoagddOptions& options, const DeviceOptions& device)
      : options_(options), engine_(make_foagdd_engine(options, device)) {}

  void begin(const ExtractionJob& job) override {
    times_.clear();
    StageClock clock(job.timed ? &times_ : nullptr);

    std::vector<Keypoint> keypoints;
    for (const FoagddPoint& p : engine_->detect(job.image)) {
      const auto x = static_cast<float>(p.column), y = static_cast<float>(p.row);
      if (job.mask != nullptr && !inside(*job.mask, x, y)) continue;
      keypoints.push_back({.x = x,
                           .y = y,
                           .scale = static_cast<float>(options_.descriptor_scale),
                           .response = log10_of_measure(p.key)});
    }
    clock.lap("corners");

    features_ = {};
    const SiftOptions budget{.max_features = options_.max_features, .grid = options_.grid};
    for (const std::size_t i : select(keypoints, job.image.width, job.image.height, budget)) {
      features_.keypoints.push_back(keypoints[i]);
    }
    clock.lap("selection");
  }

  Extracted finish(std::vector<StageTime>* times) override {
    if (times) *times = times_;
    return {std::move(features_), nullptr};
  }

 private:
  FoagddOptions options_;
  std::unique_ptr<FoagddEngine> engine_;
  std::vector<StageTime> times_;
  Features features_;
};

}  // namespace

std::vector<Extractions> make_extractions(const FoagddOptions& options, const DeviceOptions& device) {
  validate(options);
  const std::string cpu_isa = find_isa(device.isa).name;  // a wrong option is an error on every device alike
  const int threads = CpuPool(device.threads).threads();
  std::vector<Extractions> all;
  for (const FoundDevice& found : find_devices(device.name)) {
    DeviceOptions one = device;
    one.name = found.name;
    const auto make = [options, one] { return std::make_unique<FoagddExtraction>(options, one); };
    const bool reference = found.kind == DeviceKind::reference;
    const std::string isa = found.kind == DeviceKind::gpu ? found.name.substr(0, found.name.find(':'))
                            : reference                   ? "scalar"
                                                          : cpu_isa;
    all.push_back({found.name, isa, reference ? 1 : threads, nullptr, false, make});
  }
  return all;
}

Foagdd::Foagdd(const FoagddOptions& options, const DeviceOptions& device)
    : Extractor(make_extractions(options, device)) {}

}  // namespace octavo
