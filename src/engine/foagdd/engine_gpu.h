// Corners on a GPU: the whole image in one submission.

#pragma once

#include <memory>

#include "engine/device/cpu_pool.h"
#include "engine/device/gpu.h"
#include "engine/foagdd/foagdd.h"

namespace octavo {

/// `threads` stage images. Only one of the engines that share them may begin at a time.
std::unique_ptr<FoagddEngine> make_foagdd_gpu(const FoagddOptions& options, const std::shared_ptr<Gpu>& gpu,
                                              std::shared_ptr<CpuPool> threads);

}  // namespace octavo
