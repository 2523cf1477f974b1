// Extraction on a GPU: the whole image in one submission.

#pragma once

#include <memory>

#include "device/gpu.h"
#include "device/gpu_buffer_pool.h"
#include "sift/extraction.h"

namespace octavo {

/// `pool` gives the buffers of features that stay on the GPU.
std::unique_ptr<Extraction> make_gpu_extraction(const SiftOptions& options, std::shared_ptr<Gpu> gpu,
                                                std::shared_ptr<GpuBufferPool> pool);

}  // namespace octavo
