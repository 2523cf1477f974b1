#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "octavo/keypoint.h"

namespace octavo {

struct FeaturesOnGpu;  // how the library keeps them; not public

/// The features of an image, left where they were computed: in the memory of a GPU, or in host memory where the device
/// is no GPU. What is done with them there needs no copy to the host; the bytes are those of Features in any case.
/// A handle: copies share the features, which never change and live as long as any of them, beyond the extractor too.
/// Threads may use copies at the same time.
class DeviceFeatures {
 public:
  /// None.
  DeviceFeatures() = default;
  /// In host memory.
  explicit DeviceFeatures(Features features);
  explicit DeviceFeatures(std::shared_ptr<const FeaturesOnGpu> features);

  [[nodiscard]] std::size_t size() const;
  /// The GPU in whose memory they lie, "cuda:0", "opencl:0" …; "cpu" for host memory.
  [[nodiscard]] std::string device() const;

  /// Copies in host memory, in canonical order. Throw Error(out_of_memory) or Error(device_unavailable).
  [[nodiscard]] Features download() const;
  [[nodiscard]] std::vector<Keypoint> keypoints() const;  ///< without their descriptors

  /// For the library itself: null where they are in host memory.
  [[nodiscard]] const FeaturesOnGpu* on_gpu() const { return on_gpu_.get(); }

 private:
  std::shared_ptr<const Features> on_host_;  // at most one of the two is there
  std::shared_ptr<const FeaturesOnGpu> on_gpu_;
};

}  // namespace octavo
