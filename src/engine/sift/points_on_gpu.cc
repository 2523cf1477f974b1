#include "engine/sift/points_on_gpu.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "engine/device/image_on_gpu.h"
#include "engine/device/run_and_wait.h"
#include "engine/extract/guarded.h"
#include "engine/sift/detector_staged.h"
#include "engine/sift/engine_gpu.h"
#include "octavo/image_view.h"

namespace octavo {

namespace {

class DetectorOfPoints : public Detector {
 public:
  DetectorOfPoints(const SiftParts& parts, GpuShare share)
      : share_(std::move(share)),
        queue_(share_.gpu->queue()),
        staged_(make_sift_detector_staged(parts, make_gpu_engine(parts, share_.gpu))) {}

  void begin(const DetectorJob& job) override {
    stays_ = job.keep == Keep::on_device;
    guarded(share_, [&] {
      if (job.on_device == nullptr) return staged_->begin(job);
      const std::vector<std::byte> rows = downloaded(*job.on_device, job.image);
      DetectorJob on_host = job;
      on_host.on_device = nullptr;
      on_host.image.data = rows.data();
      on_host.image.stride = static_cast<std::ptrdiff_t>(rows.size()) / job.image.height;
      staged_->begin(on_host);
    });
  }

  DetectedFeatures finish(std::vector<StageTime>* times) override {
    DetectedFeatures found = staged_->finish(times);
    if (stays_) {
      guarded(share_, [&] { found = {.features = {}, .on_gpu = uploaded(found.features)}; });
    }
    return found;
  }

  [[nodiscard]] MemoryNeed memory_for(const ImageView& image, bool masked) const override {
    return staged_->memory_for(image, masked);
  }

 private:
  // The rows of an image, packed.
  std::vector<std::byte> downloaded(const DeviceImage& image, const ImageView& shape) {
    ImageOnGpu packed(share_.gpu);
    packed.prepare(shape);
    std::vector<std::byte> rows(packed.bytes());
    run_and_wait(*queue_, [&] {
      packed.copy(*queue_, image);
      queue_->download(rows.data(), packed.pixels(), 0, rows.size());
    });
    return rows;
  }

  std::shared_ptr<const FeaturesOnGpu> uploaded(const Features& features) {
    const auto there = std::make_shared<FeaturesOnGpu>(FeaturesOnGpu{share_.gpu, features.size(), nullptr});
    if (features.size() == 0) return there;
    const std::shared_ptr<GpuBuffer> buffer = share_.buffers->take(there->descriptor_bytes() + there->keypoint_bytes());
    run_and_wait(*queue_, [&] {
      queue_->upload(*buffer, 0, features.descriptors.data(), there->descriptor_bytes());
      queue_->upload(*buffer, there->descriptor_bytes(), features.keypoints.data(), there->keypoint_bytes());
    });
    there->buffer = buffer;
    return there;
  }

  GpuShare share_;
  std::unique_ptr<GpuQueue> queue_;
  std::unique_ptr<Detector> staged_;
  bool stays_ = false;
};

}  // namespace

std::unique_ptr<Detector> make_detector_of_points(const SiftParts& parts, const GpuShare& share) {
  return std::make_unique<DetectorOfPoints>(parts, share);
}

}  // namespace octavo
