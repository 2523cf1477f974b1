#include "octavo/device_features.h"

#include <utility>

#include "extract/features_on_gpu.h"

namespace octavo {

namespace {

// Copies parts of the buffer to the host, through a queue of its own.
class Download {
 public:
  explicit Download(const FeaturesOnGpu& features) : features_(features) {
    if (features.count > 0) queue_ = features.gpu->queue();
  }

  void descriptors(std::vector<std::uint8_t>& to) {
    to.resize(features_.descriptor_bytes());
    if (queue_) queue_->download(to.data(), *features_.buffer, 0, to.size());
  }
  void keypoints(std::vector<Keypoint>& to) {
    to.resize(features_.count);
    if (!queue_) return;
    queue_->download(to.data(), *features_.buffer, features_.descriptor_bytes(), features_.keypoint_bytes());
  }
  void wait() {
    if (queue_) queue_->wait();
  }

 private:
  const FeaturesOnGpu& features_;
  std::unique_ptr<GpuQueue> queue_;
};

}  // namespace

DeviceFeatures::DeviceFeatures(Features features) : on_host_(std::make_shared<const Features>(std::move(features))) {}

DeviceFeatures::DeviceFeatures(std::shared_ptr<const FeaturesOnGpu> features) : on_gpu_(std::move(features)) {}

std::size_t DeviceFeatures::size() const { return on_gpu_ ? on_gpu_->count : on_host_ ? on_host_->size() : 0; }

std::string DeviceFeatures::device() const { return on_gpu_ ? on_gpu_->gpu->facts().name : "cpu"; }

Features DeviceFeatures::download() const {
  if (!on_gpu_) return on_host_ ? *on_host_ : Features();
  Features features;
  Download download(*on_gpu_);
  download.keypoints(features.keypoints);
  download.descriptors(features.descriptors);
  download.wait();
  return features;
}

std::vector<Keypoint> DeviceFeatures::keypoints() const {
  if (!on_gpu_) return on_host_ ? on_host_->keypoints : std::vector<Keypoint>();
  std::vector<Keypoint> keypoints;
  Download download(*on_gpu_);
  download.keypoints(keypoints);
  download.wait();
  return keypoints;
}

}  // namespace octavo
