// Pyramids on the CPU.

#pragma once

#include <memory>

#include "device/cpu_isa.h"
#include "device/cpu_pool.h"
#include "pyramid/engine.h"

namespace octavo {

std::unique_ptr<PyramidEngine> make_pyramid_cpu(const SiftOptions& scale_space, const PyramidOptions& options, Isa isa,
                                                CpuPool pool);

}  // namespace octavo
