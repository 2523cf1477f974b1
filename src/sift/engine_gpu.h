// The GPU's stages one by one, for the self-test, the tests, and points that another detector found: each runs alone,
// with a wait after it.

#pragma once

#include <memory>

#include "device/gpu.h"
#include "sift/engine.h"

namespace octavo {

std::unique_ptr<SiftEngine> make_gpu_engine(const SiftOptions& options, std::shared_ptr<Gpu> gpu);

}  // namespace octavo
