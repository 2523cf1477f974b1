#include "octavo/extractor.h"

#include <utility>

#include "engine/core/within_memory.h"
#include "engine/extract/features_on_gpu.h"
#include "octavo/error.h"

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

// Runs `work`, which copies features from the device.
template <class Work>
auto within_memory_of_features(std::size_t features, const Work& work) {
  return within_memory([&] { return "to copy " + std::to_string(features) + " features to the host"; }, work);
}

}  // namespace

DeviceFeatures::DeviceFeatures(Features features) : on_host_(std::make_shared<const Features>(std::move(features))) {}

DeviceFeatures::DeviceFeatures(std::shared_ptr<const FeaturesOnGpu> features) : on_gpu_(std::move(features)) {}

std::size_t DeviceFeatures::size() const { return on_gpu_ ? on_gpu_->count : on_host_ ? on_host_->size() : 0; }

std::string DeviceFeatures::device() const { return on_gpu_ ? on_gpu_->gpu->facts().name : "cpu"; }

Features DeviceFeatures::download() const {
  if (!on_gpu_) return on_host_ ? *on_host_ : Features();
  return within_memory_of_features(size(), [&] {
    Features features;
    Download download(*on_gpu_);
    download.keypoints(features.keypoints);
    download.descriptors(features.descriptors);
    download.wait();
    return features;
  });
}

std::vector<Keypoint> DeviceFeatures::keypoints() const {
  if (!on_gpu_) return on_host_ ? on_host_->keypoints : std::vector<Keypoint>();
  return within_memory_of_features(size(), [&] {
    std::vector<Keypoint> keypoints;
    Download download(*on_gpu_);
    download.keypoints(keypoints);
    download.wait();
    return keypoints;
  });
}

FeatureMemory DeviceFeatures::memory() const {
  if (!on_gpu_) {
    if (!on_host_ || on_host_->keypoints.empty()) return {nullptr, nullptr, on_host_};
    const bool is_described = !on_host_->descriptors.empty();
    return {is_described ? on_host_->descriptors.data() : nullptr, on_host_->keypoints.data(), on_host_};
  }
  if (on_gpu_->count == 0) return {nullptr, nullptr, on_gpu_};
  const auto* const first = static_cast<const std::uint8_t*>(on_gpu_->buffer->pointer());
  if (first == nullptr) {
    throw Error(ErrorCode::invalid_argument, "the features lie on " + device() + ", where memory has no addresses");
  }
  // The buffer is used again for later features once its last owner is gone.
  const std::shared_ptr<const void> owner(first, [features = on_gpu_](const void*) {
    try {
      features->buffer->wait_for_readers();
    } catch (const Error&) {  // the device failed: nothing reads there any more
    }
  });
  return {first, reinterpret_cast<const Keypoint*>(first + on_gpu_->descriptor_bytes()), owner};
}

}  // namespace octavo
