// Extraction on a GPU: the whole image in one submission.

#pragma once

#include <memory>

#include "device/cpu_pool.h"
#include "device/gpu.h"
#include "device/gpu_buffer_pool.h"
#include "sift/extraction.h"

namespace octavo {

/// What the extractions of one GPU share.
struct GpuShare {
  std::shared_ptr<Gpu> gpu;
  std::shared_ptr<GpuBufferPool> buffers;  ///< of features that stay on the GPU
  std::shared_ptr<CpuPool> threads;        ///< that stage images; one extraction begins at a time
};

std::unique_ptr<Extraction> make_gpu_extraction(const SiftOptions& options, GpuShare share);

}  // namespace octavo
