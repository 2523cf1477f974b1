// The device's engine finds the corners; what all devices share happens here: budgets, and which corners are described.
// Descriptors are SIFT's, by the engine of SIFT on the same device.

#include "foagdd/foagdd_extraction.h"

#include <memory>
#include <utility>

#include "core/stage_clock.h"
#include "device/cpu_isa.h"
#include "device/cpu_pool.h"
#include "device/registry.h"
#include "foagdd/engine_gpu.h"
#include "foagdd/foagdd.h"
#include "maths/scalar.h"
#include "octavo/foagdd.h"
#include "sift/engine.h"
#include "sift/engine_gpu.h"
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
  /// `description` is an engine with description_options, on the same GPU, or none where corners are not described.
  FoagddExtraction(const FoagddOptions& options, std::unique_ptr<FoagddEngine> engine,
                   std::unique_ptr<SiftEngine> description)
      : options_(options), engine_(std::move(engine)), description_(std::move(description)) {}

  void begin(const ExtractionJob& job) override {
    width_ = job.image.width;
    height_ = job.image.height;
    engine_->begin(job);
    scale_space_.clear();
    if (!description_) return;
    StageClock clock(&scale_space_);
    description_->build(job.image, engine_->pixels_on_gpu());
    clock.lap("scale space");
  }

  Extracted finish(std::vector<StageTime>* times) override {
    if (times) times->clear();
    std::vector<FoagddPoint> points = engine_->finish(times);
    if (times) times->insert(times->end(), scale_space_.begin(), scale_space_.end());
    StageClock clock(times);
    std::vector<Oriented> oriented;
    oriented.reserve(points.size());
    for (const FoagddPoint& p : points) oriented.push_back(oriented_of(p));
    if (description_ && !options_.upright) {
      turn(points, oriented);
      clock.lap("orientation");
    }

    std::vector<Keypoint> keypoints;
    keypoints.reserve(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) keypoints.push_back(keypoint(points[i], oriented[i]));
    Features features;
    const SiftOptions budget{.max_features = options_.max_features, .grid = options_.grid};
    for (const std::size_t i : select(keypoints, width_, height_, budget)) {
      oriented[features.keypoints.size()] = oriented[i];  // indices ascend: nothing unread is overwritten
      features.keypoints.push_back(keypoints[i]);
    }
    oriented.resize(features.size());
    clock.lap("selection");

    if (description_) {
      features.descriptors.resize(features.size() * descriptor_length);
      description_->describe(oriented, features.descriptors.data());
      clock.lap("descriptor");
    }
    return {std::move(features), nullptr};
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
  std::vector<StageTime> scale_space_;       // its time
  int width_ = 0, height_ = 0;               // of the image begun last
};

Extractions on_device(const FoundDevice& found, const FoagddOptions& options, const DeviceOptions& device) {
  if (found.kind == DeviceKind::gpu) {
    const std::shared_ptr<Gpu> gpu = open_gpu(found.name, device.gpu_memory);
    const auto threads = std::make_shared<CpuPool>(device.threads);
    const auto make = [options, gpu, threads] {
      return std::make_unique<FoagddExtraction>(
          options, make_foagdd_gpu(options, gpu, threads),
          options.describe ? make_gpu_engine(description_options(options), gpu) : nullptr);
    };
    return {found.name, found.name.substr(0, found.name.find(':')), threads->threads(), gpu, true, make};
  }
  DeviceOptions one = device;
  one.name = found.name;
  const auto make = [options, one] {
    return std::make_unique<FoagddExtraction>(
        options, make_foagdd_engine(options, one),
        options.describe ? make_engine(description_options(options), one) : nullptr);
  };
  if (found.kind == DeviceKind::reference) return {found.name, "scalar", 1, nullptr, false, make};
  return {found.name, find_isa(device.isa).name, CpuPool(device.threads).threads(), nullptr, false, make};
}

}  // namespace

std::vector<Extractions> make_extractions(const FoagddOptions& options, const DeviceOptions& device) {
  validate(options);
  find_isa(device.isa);  // a wrong option is an error on every device alike
  const CpuPool pool(device.threads);
  std::vector<Extractions> all;
  for (const FoundDevice& found : find_devices(device.name)) all.push_back(on_device(found, options, device));
  return all;
}

Foagdd::Foagdd(const FoagddOptions& options, const DeviceOptions& device)
    : Extractor(Detector(make_extractions(options, device))) {}

}  // namespace octavo
