// FOAGDD on a GPU.

#pragma once

#include <memory>

#include "device/gpu.h"
#include "foagdd/foagdd.h"

namespace octavo {

std::unique_ptr<FoagddEngine> make_foagdd_gpu(const FoagddOptions& options, std::shared_ptr<Gpu> gpu);

}  // namespace octavo
