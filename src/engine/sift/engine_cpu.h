#pragma once

#include <memory>

#include "engine/device/cpu_isa.h"
#include "engine/device/cpu_pool.h"
#include "engine/sift/engine.h"

namespace octavo {

/// The engine with vectors and threads.
std::unique_ptr<SiftEngine> make_cpu_engine(const SiftParts& parts, Isa isa, CpuPool pool);

}  // namespace octavo
