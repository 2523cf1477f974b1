// The filter's engine on a GPU: the whole image in one submission.

#pragma once

#include <memory>

#include "engine/device/cpu_pool.h"
#include "engine/device/gpu.h"
#include "engine/trilateral/trilateral.h"

namespace octavo {

/// `pool` stages images for the upload.
std::unique_ptr<TrilateralEngine> make_trilateral_gpu(const TrilateralOptions& options, const std::shared_ptr<Gpu>& gpu,
                                                      CpuPool pool);

}  // namespace octavo
