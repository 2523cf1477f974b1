#include "octavo/retrieval.h"

#include <optional>
#include <utility>

#include "engine/device/registry.h"
#include "engine/retrieval/descriptor_count.h"
#include "engine/retrieval/on_features_gpu.h"
#include "engine/retrieval/quantise_gpu.h"
#include "octavo/extractor.h"

namespace octavo {

class FeatureQuantiser::Impl {
 public:
  Impl(std::size_t words, const ResolvedDevice& device, CodeModel model)
      : device_(device.name()), task_{std::move(model), (require_word_count(words), words)} {
    if (device.is_gpu()) on_gpu_.emplace(device);
  }

  QuantisedFeatures quantise(const DeviceFeatures& features) {
    if (on_gpu_ && features.on_gpu() != nullptr) {
      return on_gpu_->reaching(*features.on_gpu()).quantise(*features.on_gpu(), task_);
    }
    Features downloaded = features.download();
    QuantisedFeatures found = quantise(downloaded.descriptors);
    found.keypoints = std::move(downloaded.keypoints);
    return found;
  }

  QuantisedFeatures quantise(std::span<const std::uint8_t> descriptors) {
    if (descriptor_count(descriptors) == 0) return {};
    if (on_gpu_) return on_gpu_->any().quantise(descriptors, task_);
    return {{}, feature_codes(descriptors, task_.model), nearest_words(descriptors, task_.words, task_.model)};
  }

  const std::string& device() const { return device_; }

 private:
  std::string device_;
  QuantiseGpu::Task task_;
  std::optional<OnFeaturesGpu<QuantiseGpu>> on_gpu_;
};

FeatureQuantiser::FeatureQuantiser(std::size_t words, const DeviceOptions& device, CodeModel model)
    : impl_(std::make_unique<Impl>(words, resolve_device(device), std::move(model))) {}
FeatureQuantiser::~FeatureQuantiser() = default;
FeatureQuantiser::FeatureQuantiser(FeatureQuantiser&&) noexcept = default;
FeatureQuantiser& FeatureQuantiser::operator=(FeatureQuantiser&&) noexcept = default;

QuantisedFeatures FeatureQuantiser::quantise(const DeviceFeatures& features) { return impl_->quantise(features); }
QuantisedFeatures FeatureQuantiser::quantise(std::span<const std::uint8_t> descriptors) {
  return impl_->quantise(descriptors);
}
const std::string& FeatureQuantiser::device() const { return impl_->device(); }

}  // namespace octavo
