// Work on features where they are. CUDA objects of a device share its memory. OpenCL contexts do not, so the work is
// done in the context of the features.

#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "engine/device/registry.h"
#include "engine/extract/features_on_gpu.h"

namespace octavo {

/// Makes a Work, which takes a shared_ptr<Gpu>, on the GPU that needs it, and keeps it for the next call.
template <class Work>
class OnFeaturesGpu {
 public:
  /// `device` is a GPU. It is opened when descriptors in host memory come first.
  explicit OnFeaturesGpu(ResolvedDevice device) : device_(std::move(device)) {}

  /// The work on the GPU of these features.
  Work& reaching(const FeaturesOnGpu& features) {
    if (!work_ || !gpu_->shares_memory_with(*features.gpu)) open(features.gpu);
    return *work_;
  }
  /// The work for descriptors in host memory.
  Work& any() {
    if (!work_) open(device_.open_gpu());
    return *work_;
  }

 private:
  void open(std::shared_ptr<Gpu> gpu) {
    work_.reset();
    gpu_ = std::move(gpu);
    work_.emplace(gpu_);
  }

  ResolvedDevice device_;
  std::shared_ptr<Gpu> gpu_;
  std::optional<Work> work_;
};

}  // namespace octavo
