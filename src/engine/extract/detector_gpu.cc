#include "engine/extract/detector_gpu.h"

#include <utility>

#include "engine/extract/guarded.h"

namespace octavo {

namespace {

class GpuDetector : public Detector {
 public:
  GpuDetector(std::unique_ptr<GpuWork> work, GpuShare share)
      : share_(std::move(share)), work_(std::move(work)), job_(share_.gpu, *work_, share_.threads) {}

  void begin(const DetectorJob& job) override {
    report(share_.progress, "upload");
    stays_ = job.keep == Keep::on_device;
    guarded(share_, [&] {
      job_.begin(
          {.image = job.image, .on_device = job.on_device, .mask = job.mask, .timed = job.timed, .stays = stays_});
    });
  }

  DetectedFeatures finish(std::vector<StageTime>* times) override {
    report(share_.progress, "all stages, on the device");
    DetectedFeatures found;
    guarded(share_, [&] {
      job_.finish([&](std::size_t n) {
        if (stays_) {
          keep(found, n);
        } else {
          fetch(found.features, n);
        }
      });
    });
    if (times) *times = job_.times();
    return found;
  }

  [[nodiscard]] MemoryNeed memory_for(const ImageView& image, bool masked) const override {
    GpuJobMemory memory = memory_of_job(*work_, share_.gpu->facts(), image, masked);
    memory.need.usual.host += memory.results * (sizeof(Keypoint) + descriptor_length);
    return memory.need;
  }

 private:
  void fetch(Features& features, std::size_t n) {
    features.keypoints.reserve(n);
    features.descriptors.reserve(n * descriptor_length);
    job_.fetch(n, [&](std::size_t count, const std::vector<const std::byte*>& lists) {
      const auto* keypoints = reinterpret_cast<const Keypoint*>(lists[0]);
      features.keypoints.insert(features.keypoints.end(), keypoints, keypoints + count);
      const auto* bytes = reinterpret_cast<const std::uint8_t*>(lists[1]);
      features.descriptors.insert(features.descriptors.end(), bytes, bytes + count * descriptor_length);
    });
  }

  // Moves the features into a buffer of their own, so that the next image can use the lists. If that fails, `found`
  // still holds what the enqueued work needs.
  void keep(DetectedFeatures& found, std::size_t n) {
    const auto kept = std::make_shared<FeaturesOnGpu>(FeaturesOnGpu{share_.gpu, n, nullptr});
    found.on_gpu = kept;
    if (n == 0) return;
    const std::vector<GpuResultList> lists = work_->lists();
    const std::shared_ptr<GpuBuffer> buffer = share_.buffers->take(kept->descriptor_bytes() + kept->keypoint_bytes());
    kept->buffer = buffer;
    work_->queue().copy(*buffer, 0, lists[1].buffer, 0, kept->descriptor_bytes());
    work_->queue().copy(*buffer, kept->descriptor_bytes(), lists[0].buffer, 0, kept->keypoint_bytes());
    work_->queue().wait();
  }

  GpuShare share_;
  // True if the features stay on the GPU.
  bool stays_ = false;
  std::unique_ptr<GpuWork> work_;
  GpuJob job_;
};

}  // namespace

std::unique_ptr<Detector> make_gpu_detector(std::unique_ptr<GpuWork> work, GpuShare share) {
  return std::make_unique<GpuDetector>(std::move(work), std::move(share));
}

}  // namespace octavo
