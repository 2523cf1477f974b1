#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/keypoint.h"

namespace OCTAVO_API octavo {

struct FeaturesOnGpu;  // the library's own representation; not public

/// Features where they lie, for other libraries that work there. They must not be written to.
struct FeatureMemory {
  const std::uint8_t* descriptors = nullptr;  ///< N×128, row by row; null if there are none
  const Keypoint* keypoints = nullptr;        ///< N; null if there are none
  /// Keeps the memory. When the last copy goes, it waits for all work of the GPU, so that kernels of other libraries
  /// that read the features are done.
  std::shared_ptr<const void> owner;
};

/// A handle to the features of an image, in the memory of the GPU that computed them. Features of the CPU and the
/// reference are in host memory. Features on a GPU can be matched there without a copy to the host. Their bytes are the
/// same as those of Features.
/// Copies of a handle share the features. The features never change. They exist as long as any copy of the handle, also
/// after the extractor is destroyed. Several threads may use copies at the same time.
class DeviceFeatures {
 public:
  /// A handle to no features: `size()` is 0.
  DeviceFeatures() = default;
  /// Keeps the features in host memory.
  explicit DeviceFeatures(Features features);
  /// For the library itself.
  explicit DeviceFeatures(std::shared_ptr<const FeaturesOnGpu> features);

  /// The number of keypoints.
  [[nodiscard]] std::size_t size() const;
  /// The GPU whose memory holds the features: "cuda:0", "opencl:0" …; "cpu" for host memory.
  [[nodiscard]] std::string device() const;

  /// Copies the features to host memory, in canonical order. Throws Error(out_of_memory) or Error(device_unavailable).
  [[nodiscard]] Features download() const;
  /// Copies the keypoints alone to host memory. Throws what `download` throws.
  [[nodiscard]] std::vector<Keypoint> keypoints() const;

  /// The addresses of the features, in the memory of device(): with CUDA in the primary context. All work on them is
  /// done. Throws Error(invalid_argument) on OpenCL, whose memory has no addresses.
  [[nodiscard]] FeatureMemory memory() const;

  /// For the library itself: null if the features are in host memory.
  [[nodiscard]] const FeaturesOnGpu* on_gpu() const { return on_gpu_.get(); }

 private:
  std::shared_ptr<const Features> on_host_;  // at most one of the two is not null
  std::shared_ptr<const FeaturesOnGpu> on_gpu_;
};

}  // namespace octavo
