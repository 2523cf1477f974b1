// Words and codes on a GPU (retrieval_kernels.cl.h): one submission and one wait for an image.

#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "engine/device/gpu.h"
#include "engine/extract/features_on_gpu.h"
#include "engine/retrieval/descriptors_on_gpu.h"
#include "octavo/retrieval.h"

namespace octavo {

/// Buffers are kept between calls and only grow.
class QuantiseGpu {
 public:
  explicit QuantiseGpu(const std::shared_ptr<Gpu>& gpu);

  /// The same at every call.
  struct Task {
    CodeModel model;
    std::size_t words;  ///< 1 to 256
  };

  QuantisedFeatures quantise(const FeaturesOnGpu& features, const Task& task);
  /// At least one descriptor.
  QuantisedFeatures quantise(std::span<const std::uint8_t> descriptors, const Task& task);

 private:
  void prepare(const Task& task);
  void enqueue(const FeaturesOnGpu& features, const Task& task);
  [[nodiscard]] QuantisedFeatures results(std::size_t count, std::size_t words) const;

  std::shared_ptr<Gpu> gpu_;
  std::unique_ptr<GpuKernel> make_codes_, find_words_;
  DescriptorUpload upload_;
  std::unique_ptr<GpuBuffer> centres_, axes_, pairs_;  // of the model
  std::size_t pair_count_ = 0;
  std::unique_ptr<GpuBuffer> codes_, words_;
  std::unique_ptr<GpuPinned> host_codes_, host_words_;
  std::unique_ptr<GpuQueue> queue_;
};

}  // namespace octavo
