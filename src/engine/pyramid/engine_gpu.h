// Pyramids on a GPU: the whole image in one submission.

#pragma once

#include <memory>

#include "engine/device/cpu_pool.h"
#include "engine/device/gpu.h"
#include "engine/pyramid/engine.h"

namespace octavo {

/// `pool` stages images for the upload.
std::unique_ptr<PyramidEngine> make_pyramid_gpu(const ScaleSpaceOptions& scale_space, const PyramidOptions& options,
                                                const std::shared_ptr<Gpu>& gpu, CpuPool pool);

}  // namespace octavo
