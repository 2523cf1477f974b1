// The device's engine finds the corners; what all devices share happens here: masks and budgets. Descriptors are
// SIFT's, by the engine of SIFT on the same device.

#include "foagdd/foagdd_extraction.h"

#include <memory>
#include <utility>

#include "core/stage_clock.h"
#include "device/cpu_isa.h"
#include "device/cpu_pool.h"
#include "device/registry.h"
#include "foagdd/foagdd.h"
#include "maths/scalar.h"
#include "octavo/foagdd.h"
#include "sift/engine.h"
#include "sift/selection.h"

namespace octavo {

namespace {

using namespace maths;
#include "sift/frame_maths.h"

// The one Gaussian image in which corners are described is layer 1 of an octave that holds the image as it is. With one
// layer it has twice the blur of image 0. A threshold that nothing reaches: SIFT's own extrema are not wanted.
SiftOptions description_options(const FoagddOptions& o) {
  return {.first_octave = 0,
          .max_octaves = 1,
          .layers = 1,
          .sigma = o.descriptor_scale / 2,
          .contrast_threshold = 1,
          .max_orientations = o.max_orientations,
          .upright = o.upright,
          .luma = o.luma,
          .descriptor = o.descriptor};
}

class FoagddExtraction : public Extraction {
 public:
  FoagddExtraction(const FoagddOptions& options, const DeviceOptions& device)
      : options_(options),
        engine_(make_foagdd_engine(options, device)),
        description_(options.describe ? make_engine(description_options(options), device) : nullptr) {}

  void begin(const ExtractionJob& job) override {
    times_.clear();
    std::vector<StageTime>* const times = job.timed ? &times_ : nullptr;
    StageClock clock(times);

    std::vector<FoagddPoint> points = engine_->detect(job.image, times);
    clock.restart();
    const auto masked = [&](const FoagddPoint& p) {
      return !inside(*job.mask, static_cast<float>(p.column), static_cast<float>(p.row));
    };
    if (job.mask != nullptr) std::erase_if(points, masked);

    std::vector<Oriented> oriented;
    for (const FoagddPoint& p : points) oriented.push_back(oriented_of(p));
    if (description_ && !points.empty()) {
      description_->detect(job.image);
      clock.lap("scale space");
      if (!options_.upright) turn(points, oriented);
      clock.lap("orientation");
    }

    std::vector<Keypoint> keypoints;
    for (std::size_t i = 0; i < points.size(); ++i) keypoints.push_back(keypoint(points[i], oriented[i]));
    features_ = {};
    const SiftOptions budget{.max_features = options_.max_features, .grid = options_.grid};
    for (const std::size_t i : select(keypoints, job.image.width, job.image.height, budget)) {
      oriented[features_.keypoints.size()] = oriented[i];  // indices ascend: nothing unread is overwritten
      features_.keypoints.push_back(keypoints[i]);
    }
    oriented.resize(features_.size());
    clock.lap("selection");

    if (!description_) return;
    features_.descriptors.resize(features_.size() * descriptor_length);
    description_->describe(oriented, features_.descriptors.data());
    clock.lap("descriptor");
  }

  Extracted finish(std::vector<StageTime>* times) override {
    if (times) *times = times_;
    return {std::move(features_), nullptr};
  }

 private:
  [[nodiscard]] Oriented oriented_of(const FoagddPoint& p) const {
    return {.octave = 0,
            .extremum = {.layer = 1, .row = p.row, .column = p.column},
            .scale = static_cast<float>(options_.descriptor_scale),
            .turns = 0};
  }

  static Keypoint keypoint(const FoagddPoint& p, const Oriented& o) {
    return {.x = static_cast<float>(p.column),
            .y = static_cast<float>(p.row),
            .scale = o.scale,
            .orientation = radians_of(o.turns),
            .response = log10_of_measure(p.key)};
  }

  // Each corner once for each of its orientations, which ascend.
  void turn(std::vector<FoagddPoint>& points, std::vector<Oriented>& oriented) {
    const std::vector<Orientations> orientations = description_->orient(oriented);
    std::vector<FoagddPoint> turned_points;
    std::vector<Oriented> turned;
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (int k = 0; k < orientations[i].count; ++k) {
        turned_points.push_back(points[i]);
        turned.push_back(oriented[i]);
        turned.back().turns = orientations[i].turns[static_cast<std::size_t>(k)];
      }
    }
    points = std::move(turned_points);
    oriented = std::move(turned);
  }

  FoagddOptions options_;
  std::unique_ptr<FoagddEngine> engine_;
  std::unique_ptr<SiftEngine> description_;  // none unless they are to be described
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
    : Extractor(Detector(make_extractions(options, device))) {}

}  // namespace octavo
