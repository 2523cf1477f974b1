#include "engine/views/views_detector.h"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "engine/core/canonical_order.h"
#include "engine/core/check_image.h"
#include "engine/core/ellipse.h"
#include "engine/device/cpu_isa.h"
#include "engine/device/cpu_pool.h"
#include "engine/device/stage_clock.h"
#include "engine/extract/selection.h"
#include "engine/scale_space/grey_image_cpu.h"
#include "engine/views/synthesis.h"
#include "engine/views/view.h"
#include "octavo/extractor.h"
#include "octavo/image.h"

namespace octavo {

namespace {

using DetectorsByTilt = std::map<int, std::unique_ptr<Detector>>;

Features in_host_memory(DetectedFeatures detected) {
  return detected.on_gpu ? DeviceFeatures(detected.on_gpu).download() : std::move(detected.features);
}

// The keypoint of a view in the image.
Keypoint in_image(Keypoint k, const ViewFrame& frame) {
  const auto [x, y] = frame.in_image(k.x, k.y);
  const std::array<double, 4> j = frame.jacobian(), m = affine_matrix(k);
  k.x = static_cast<float>(x);
  k.y = static_cast<float>(y);
  set_ellipse(k, {static_cast<float>(j[0] * m[0] + j[1] * m[2]), static_cast<float>(j[0] * m[1] + j[1] * m[3]),
                  static_cast<float>(j[2] * m[0] + j[3] * m[2]), static_cast<float>(j[2] * m[1] + j[3] * m[3])});
  return k;
}

void append(Features& all, const Features& more, const std::vector<std::size_t>& which) {
  for (const std::size_t i : which) {
    all.keypoints.push_back(more.keypoints[i]);
    if (more.descriptors.empty()) continue;
    const auto descriptor = more.descriptor(i);
    all.descriptors.insert(all.descriptors.end(), descriptor.begin(), descriptor.end());
  }
}

Features in_canonical_order(const Features& features) {
  std::vector<std::size_t> order(features.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t i, std::size_t j) {
    return canonically_before(features.keypoints[i], features.keypoints[j]);
  });
  Features sorted;
  append(sorted, features, order);
  return sorted;
}

class ViewsDetector : public Detector {
 public:
  ViewsDetector(std::vector<View> views, Luma luma, const ResolvedDevice& device, DetectorsByTilt detectors)
      : views_(std::move(views)),
        luma_(luma),
        isa_(device.isa),
        pool_(device.cpu_pool()),
        detectors_(std::move(detectors)) {}

  void begin(const DetectorJob& job) override {
    if (job.on_device != nullptr) refuse_image("must lie in host memory, where its views are made");
    features_ = {};
    times_.clear();
    problem_ = nullptr;
    try {
      add_views(job);
    } catch (...) {
      problem_ = std::current_exception();
    }
  }

  DetectedFeatures finish(std::vector<StageTime>* times) override {
    if (problem_) std::rethrow_exception(std::exchange(problem_, nullptr));
    if (times) *times = times_;
    return {std::move(features_), nullptr};
  }

  [[nodiscard]] MemoryNeed memory_for(const ImageView& image, bool masked) const override {
    std::map<int, MemoryNeed> largest;  // by tilt
    for (const View& view : views_) {
      if (view.is_image()) continue;
      const ViewFrame frame(view, image.width, image.height);
      if (!frame.fits(image.width, image.height)) continue;
      ImageView shape;
      shape.width = frame.width;
      shape.height = frame.height;
      shape.type = PixelType::f32;
      MemoryNeed need = detectors_.at(view.tilt)->memory_for(shape, true);
      // The view and its mask, and the image in grey, in floats and before.
      const std::uint64_t pixels = static_cast<std::uint64_t>(frame.width) * static_cast<std::uint64_t>(frame.height);
      const std::uint64_t host =
          pixels * 5 + static_cast<std::uint64_t>(image.width) * static_cast<std::uint64_t>(image.height) * 8;
      need.least.host += host;
      need.usual.host += host;
      MemoryNeed& most = largest[view.tilt];
      if (need.usual.host + need.usual.device > most.usual.host + most.usual.device) most = need;
    }
    MemoryNeed sum = detectors_.at(1)->memory_for(image, masked);
    for (const auto& [tilt, need] : largest) sum += need;
    return sum;
  }

 private:
  void add_views(const DetectorJob& job) {
    StageClock watch(job.timed ? &times_ : nullptr);
    Image grey(job.image.width, job.image.height, 1, job.image.type);
    grey_image(job.image, luma_, isa_, pool_, grey.row(0));
    grey = as_floats(grey.view(), pool_);
    Features all = features_of(job, views_.front().tilt);
    for (const View& view : std::span(views_).subspan(1)) {
      watch.restart();
      const ViewFrame frame(view, job.image.width, job.image.height);
      if (!frame.fits(job.image.width, job.image.height)) continue;
      const Image pixels = synthesize(grey.view(), frame, pool_);
      const Image mask = view_mask(job.image, job.mask, frame, pool_);
      watch.lap("views");
      Features found = features_of({.image = pixels.view(), .mask = &mask.view(), .timed = job.timed}, view.tilt);
      append(all, found, brought_back(found.keypoints, frame, job));
    }
    features_ = in_canonical_order(all);
  }

  Features features_of(const DetectorJob& job, int tilt) {
    Detector& detector = *detectors_.at(tilt);
    detector.begin(job);
    std::vector<StageTime> times;
    Features found = in_host_memory(detector.finish(job.timed ? &times : nullptr));
    add_times(times);
    return found;
  }

  // Moves keypoints of a view into the image. Returns those that lie well inside, and in the mask.
  static std::vector<std::size_t> brought_back(std::vector<Keypoint>& keypoints, const ViewFrame& frame,
                                               const DetectorJob& job) {
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < keypoints.size(); ++i) {
      const float margin = 2 * keypoints[i].scale;
      Keypoint& k = keypoints[i] = in_image(keypoints[i], frame);
      const bool is_inside = k.x >= margin && k.y >= margin &&
                             k.x <= static_cast<float>(job.image.width - 1) - margin &&
                             k.y <= static_cast<float>(job.image.height - 1) - margin;
      if (is_inside && (job.mask == nullptr || inside(*job.mask, k.x, k.y))) kept.push_back(i);
    }
    return kept;
  }

  // The times of a stage are summed over the views.
  void add_times(const std::vector<StageTime>& more) {
    for (const StageTime& one : more) {
      const auto known = std::ranges::find(times_, one.stage, &StageTime::stage);
      if (known == times_.end()) {
        times_.push_back(one);
      } else {
        known->milliseconds += one.milliseconds;
      }
    }
  }

  std::vector<View> views_;
  Luma luma_;
  Isa isa_;
  CpuPool pool_;
  DetectorsByTilt detectors_;
  Features features_;
  std::vector<StageTime> times_;
  std::exception_ptr problem_;
};

}  // namespace

DetectorOnDevices with_views(Views views, Luma luma, const std::function<DetectorOnDevices(int tilt)>& detector_for) {
  const std::vector<View> all = views_of(views);
  std::map<int, std::shared_ptr<const DetectorOnDevices>> by_tilt;
  for (const View& view : all) {
    auto& detector = by_tilt[view.tilt];
    if (!detector) detector = std::make_shared<const DetectorOnDevices>(detector_for(view.tilt));
  }
  DetectorOnDevices result = *by_tilt.at(1);
  for (std::size_t i = 0; i < result.each.size(); ++i) {
    result.each[i].make = [all, luma, by_tilt, i] {
      DetectorsByTilt detectors;
      for (const auto& [tilt, detector] : by_tilt) detectors[tilt] = detector->each[i].make();
      return std::make_unique<ViewsDetector>(all, luma, by_tilt.at(1)->each[i].device, std::move(detectors));
    };
  }
  return result;
}

}  // namespace octavo
