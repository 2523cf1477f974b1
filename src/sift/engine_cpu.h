#pragma once

#include <memory>

#include "device/cpu_isa.h"
#include "device/cpu_pool.h"
#include "sift/engine.h"

namespace octavo {

/// The engine with vectors and threads.
std::unique_ptr<SiftEngine> make_cpu_engine(const SiftOptions& options, Isa isa, CpuPool pool);

}  // namespace octavo
