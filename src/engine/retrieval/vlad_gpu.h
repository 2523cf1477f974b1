// VLADs on a GPU (retrieval_kernels.cl.h): the nearest words by the matcher's search, then sums and lengths, in one
// submission.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/device/gpu.h"
#include "engine/extract/features_on_gpu.h"
#include "engine/match/nearest_gpu.h"
#include "engine/retrieval/descriptors_on_gpu.h"
#include "octavo/retrieval.h"

namespace octavo {

/// Buffers are kept between calls and only grow.
class VladGpu {
 public:
  explicit VladGpu(const std::shared_ptr<Gpu>& gpu);

  /// The VLAD of at most most_vlad_features descriptors. The vocabulary is the same at every call.
  std::vector<std::int16_t> encode(const FeaturesOnGpu& features, const Vocabulary& vocabulary);
  /// At least one descriptor.
  std::vector<std::int16_t> encode(std::span<const std::uint8_t> descriptors, const Vocabulary& vocabulary);

 private:
  void prepare(const Vocabulary& vocabulary);
  void enqueue(const FeaturesOnGpu& features);
  [[nodiscard]] std::vector<std::int16_t> result() const;

  std::shared_ptr<Gpu> gpu_;
  std::unique_ptr<GpuKernel> sum_residuals_, normalise_residuals_;
  GpuNearest nearest_;
  DescriptorUpload upload_, upload_centres_;
  FeaturesOnGpu centres_;
  std::unique_ptr<GpuBuffer> residuals_, squares_, vlad_;
  std::unique_ptr<GpuPinned> host_vlad_;
  std::unique_ptr<GpuQueue> queue_;
};

}  // namespace octavo
