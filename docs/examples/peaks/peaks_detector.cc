// Peaks as a detector on each device: from the image to features.

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "engine/core/plane.h"
#include "engine/extract/detector.h"
#include "engine/extract/selection.h"
#include "engine/peaks/peaks_gpu.h"
#include "engine/peaks/peaks_on_host.h"
#include "octavo/image.h"
#include "octavo/peaks.h"

namespace octavo {

namespace {

// Masks are the same for all devices.
Features features_of(const std::vector<Peak>& peaks, const ImageView* mask) {
  Features features;
  for (const Peak& p : peaks) {
    const Keypoint keypoint{
        .x = static_cast<float>(p.column), .y = static_cast<float>(p.row), .scale = 1, .response = p.strength};
    if (!mask || inside(*mask, keypoint.x, keypoint.y)) features.keypoints.push_back(keypoint);
  }
  return features;
}

class HostDetector : public Detector {
 public:
  explicit HostDetector(FindPeaks find) : find_(std::move(find)) {}

  void begin(const DetectorJob& job) override { features_ = features_of(find_(job.image), job.mask); }
  DetectedFeatures finish(std::vector<StageTime>* times) override {
    if (times) times->clear();
    return {std::move(features_), nullptr};
  }
  // The grey image. A usual image has few peaks.
  [[nodiscard]] MemoryNeed memory_for(const ImageView& image, bool) const override {
    const MemoryBytes grey{.host = Plane::bytes_of(image.width, image.height)};
    return {.least = grey, .usual = grey};
  }

 private:
  FindPeaks find_;
  Features features_;
};

class GpuDetector : public Detector {
 public:
  GpuDetector(const PeaksOptions& options, const GpuShare& share)
      : gpu_(share.gpu), work_(options, share.gpu), job_(share.gpu, work_, share.threads) {}

  void begin(const DetectorJob& job) override {
    mask_.reset();
    if (job.mask) mask_.emplace(copy_of(*job.mask));
    job_.begin({.image = job.image, .on_device = job.on_device, .timed = job.timed});
  }
  DetectedFeatures finish(std::vector<StageTime>* times) override {
    std::vector<Peak> peaks;
    job_.finish([&](std::size_t count) {
      job_.fetch(count, [&](std::size_t some, const std::vector<const std::byte*>& lists) {
        const auto* const first = reinterpret_cast<const Peak*>(lists.front());
        peaks.insert(peaks.end(), first, first + some);
      });
    });
    std::sort(peaks.begin(), peaks.end(),
              [](const Peak& a, const Peak& b) { return std::tie(a.row, a.column) < std::tie(b.row, b.column); });
    if (times) *times = job_.times();
    const ImageView mask = mask_ ? mask_->view() : ImageView{};
    return {features_of(peaks, mask_ ? &mask : nullptr), nullptr};
  }
  [[nodiscard]] MemoryNeed memory_for(const ImageView& image, bool masked) const override {
    return memory_of_job(work_, gpu_->facts(), image, masked).need;
  }

 private:
  // The caller's mask need not outlive begin.
  static Image copy_of(const ImageView& view) {
    Image image(view.width, view.height, view.channels, view.type);
    for (int y = 0; y < view.height; ++y) std::copy_n(view.row(y), view.width, image.row(y));
    return image;
  }

  std::optional<Image> mask_;
  std::shared_ptr<Gpu> gpu_;
  PeaksGpu work_;
  GpuJob job_;
};

DetectorOnDevices make_peaks_detector(const PeaksOptions& options, const DeviceOptions& device) {
  validate(options);
  return on_each_device(
      device,
      [options](const ResolvedDevice& host) {
        return std::make_unique<HostDetector>(host.kind == DeviceKind::cpu
                                                  ? find_peaks_on_cpu(options, host.isa, host.cpu_pool())
                                                  : find_peaks_by_reference(options));
      },
      [options](const GpuShare& share) { return std::make_unique<GpuDetector>(options, share); });
}

}  // namespace

Peaks::Peaks(const PeaksOptions& options, const DeviceOptions& device)
    : Extractor(make_peaks_detector(options, device)) {}

}  // namespace octavo
