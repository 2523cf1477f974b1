#include "engine/sift/grey_detector.h"

#include <memory>
#include <utility>
#include <vector>

#include "engine/core/check_image.h"
#include "engine/device/gpu_room.h"
#include "engine/scale_space/grey_on_host.h"

namespace octavo {

namespace {

// Memory for an image in grey: pinned for a GPU, so that it reads it without a copy.
class GreyRoom {
 public:
  explicit GreyRoom(std::shared_ptr<Gpu> gpu) : gpu_(std::move(gpu)) {}

  std::byte* room(std::size_t bytes) {
    if (gpu_) {
      make_room(*gpu_, pinned_, bytes);
      return pinned_->data();
    }
    if (bytes_.size() < bytes) bytes_ = std::vector<std::byte>(bytes);
    return bytes_.data();
  }

 private:
  std::shared_ptr<Gpu> gpu_;
  std::unique_ptr<GpuPinned> pinned_;
  std::vector<std::byte> bytes_;
};

GreyOnHost grey_on_host(Luma luma, const ResolvedDevice& device, std::shared_ptr<Gpu> gpu) {
  const auto room = std::make_shared<GreyRoom>(std::move(gpu));
  return {luma, device.isa, device.cpu_pool(), [room](std::size_t bytes) { return room->room(bytes); }};
}

class GreyDetector : public Detector {
 public:
  GreyDetector(std::unique_ptr<Detector> detector, GreyOnHost grey)
      : detector_(std::move(detector)), grey_(std::move(grey)) {}

  void begin(const DetectorJob& job) override {
    if (job.on_device != nullptr) refuse_image("must lie in host memory, where it becomes grey");
    times_.clear();
    DetectorJob of_grey = job;
    of_grey.image = grey_.of(job.image, job.timed ? &times_ : nullptr);
    detector_->begin(of_grey);
  }

  DetectedFeatures finish(std::vector<StageTime>* times) override {
    DetectedFeatures features = detector_->finish(times);
    if (times) times->insert(times->begin(), times_.begin(), times_.end());
    return features;
  }

  [[nodiscard]] MemoryNeed memory_for(const ImageView& image, bool masked) const override {
    return detector_->memory_for(GreyOnHost::shape_of(image), masked) + GreyOnHost::memory_for(image);
  }

 private:
  std::unique_ptr<Detector> detector_;
  GreyOnHost grey_;
  std::vector<StageTime> times_;
};

class GreyDescriber : public Describer {
 public:
  GreyDescriber(std::unique_ptr<Describer> describer, GreyOnHost grey)
      : describer_(std::move(describer)), grey_(std::move(grey)) {}

  Description describe(const ImageView& image, std::span<const Keypoint> keypoints, OrientationFrom from) override {
    return describer_->describe(grey_.of(image, nullptr), keypoints, from);
  }

  [[nodiscard]] MemoryNeed memory_for(const ImageView& image, std::size_t keypoints) const override {
    return describer_->memory_for(GreyOnHost::shape_of(image), keypoints) + GreyOnHost::memory_for(image);
  }

 private:
  std::unique_ptr<Describer> describer_;
  GreyOnHost grey_;
};

}  // namespace

DetectorOnDevices with_grey_on_host(DetectorOnDevices detector, Luma luma) {
  for (DetectorOnDevice& one : detector.each) {
    one.make = [make = one.make, luma, device = one.device, gpu = one.gpu] {
      return std::make_unique<GreyDetector>(make(), grey_on_host(luma, device, gpu));
    };
    if (!one.make_describer) continue;
    one.make_describer = [make = one.make_describer, luma, device = one.device, gpu = one.gpu] {
      return std::make_unique<GreyDescriber>(make(), grey_on_host(luma, device, gpu));
    };
  }
  return detector;
}

}  // namespace octavo
