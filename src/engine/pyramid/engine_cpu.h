// Pyramids on the CPU.

#pragma once

#include <memory>

#include "engine/device/cpu_isa.h"
#include "engine/device/cpu_pool.h"
#include "engine/pyramid/engine.h"

namespace octavo {

std::unique_ptr<PyramidEngine> make_pyramid_cpu(const ScaleSpaceOptions& scale_space, const PyramidOptions& options,
                                                Isa isa, CpuPool pool);

}  // namespace octavo
