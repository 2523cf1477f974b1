// The device's engine finds the corners. Budgets are applied here. SIFT's engine on the same device describes the
// corners, and keypoints that the caller gives. A GPU describes them without the host (described_gpu.h), and only a GPU
// can keep them in its memory. Corners without descriptors are in host memory.

#include "octavo/foagdd.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/device/stage_clock.h"
#include "engine/extract/detector.h"
#include "engine/extract/detector_gpu.h"
#include "engine/extract/selection.h"
#include "engine/foagdd/described_gpu.h"
#include "engine/foagdd/description.h"
#include "engine/foagdd/engine_gpu.h"
#include "engine/foagdd/foagdd.h"
#include "engine/maths/scalar.h"
#include "engine/sift/engine.h"
#include "engine/sift/sift_describer.h"

namespace octavo {

namespace {

using namespace maths;
#include "engine/sift/frame_maths.h"

class FoagddDetector : public Detector {
 public:
  /// `description` is an engine with description_of; null if corners are not described.
  FoagddDetector(const FoagddOptions& options, std::unique_ptr<FoagddEngine> engine,
                 std::unique_ptr<SiftEngine> description)
      : options_(options), engine_(std::move(engine)), description_(std::move(description)) {}

  void begin(const DetectorJob& job) override {
    width_ = job.image.width;
    height_ = job.image.height;
    engine_->begin(job);
    scale_space_.clear();
    if (!description_) return;
    StageClock clock(&scale_space_);
    description_->smooth(job.image);
    clock.lap("scale space");
  }

  DetectedFeatures finish(std::vector<StageTime>* times) override {
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
    for (const std::size_t i : select(keypoints, width_, height_, budget_of(options_))) {
      // Indices ascend, so nothing unread is overwritten.
      oriented[features.keypoints.size()] = oriented[i];
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

  [[nodiscard]] MemoryNeed memory_for(const ImageView& image, bool masked) const override {
    MemoryNeed need = engine_->memory_for(image, masked);
    if (description_) {
      const MemoryNeed description = description_->memory_for(image);
      need = engine_->keeps_memory() ? need + description : larger(need, description);
    }
    need.usual.host +=
        usual_corners(image.width, image.height) * (bytes_of_corner + (description_ ? descriptor_length : 0));
    return need;
  }

 private:
  // The need of two pieces of work on the host, of which the first gives its memory back.
  static MemoryNeed larger(const MemoryNeed& a, const MemoryNeed& b) {
    return {{std::max(a.least.host, b.least.host), 0}, {std::max(a.usual.host, b.usual.host), 0}};
  }

  // [byte] of the lists of each corner: points and their places in vectors that doubled, keypoints, and indices.
  static constexpr std::size_t bytes_of_corner =
      4 * sizeof(FoagddPoint) + 3 * sizeof(Oriented) + 3 * sizeof(Keypoint) + sizeof(std::size_t);

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

  // Repeats each corner for each of its orientations, which ascend.
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
  std::unique_ptr<SiftEngine> description_;  // null if corners are not described
  std::vector<StageTime> scale_space_;       // times of the scale space
  int width_ = 0, height_ = 0;               // of the last image that was begun
};

DetectorOnDevices make_foagdd_detector(const FoagddOptions& options, const DeviceOptions& device) {
  validate(options);
  DetectorOnDevices detector = on_each_device(
      device,
      [options](const ResolvedDevice& host) {
        return std::make_unique<FoagddDetector>(
            options, make_foagdd_engine(options, host),
            options.describe ? make_engine(description_of(options), host) : nullptr);
      },
      [options](const GpuShare& share) -> std::unique_ptr<Detector> {
        if (options.describe) return make_gpu_detector(make_described_corners_gpu(options, share.gpu), share);
        return std::make_unique<FoagddDetector>(options, make_foagdd_gpu(options, share.gpu, share.threads), nullptr);
      });
  describe_by_sift(detector, description_of(options), LevelNames::none);
  if (options.describe) detector.octaves = octaves_of(scale_space_of(options));
  return detector;
}

}  // namespace

Foagdd::Foagdd(const FoagddOptions& options, const DeviceOptions& device)
    : Extractor(make_foagdd_detector(options, device)) {}

}  // namespace octavo
