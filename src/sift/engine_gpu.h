// The GPU's stages one by one, for the self-test and the tests. Each call runs one stage and waits for it.

#pragma once

#include <memory>

#include "device/gpu.h"
#include "sift/engine.h"

namespace octavo {

std::unique_ptr<SiftEngine> make_gpu_engine(const SiftOptions& options, const std::shared_ptr<Gpu>& gpu);

}  // namespace octavo
