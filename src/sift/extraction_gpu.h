// Extraction on a GPU: the whole image in one submission.

#pragma once

#include <memory>

#include "device/gpu.h"
#include "sift/extraction.h"

namespace octavo {

std::unique_ptr<Extraction> make_gpu_extraction(const SiftOptions& options, std::shared_ptr<Gpu> gpu);

}  // namespace octavo
