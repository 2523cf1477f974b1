// The GPU's stages one by one, for keypoints that the caller gives, for the self-test and the tests. Each call that
// returns a result waits for it.

#pragma once

#include <memory>

#include "engine/device/gpu.h"
#include "engine/sift/engine.h"

namespace octavo {

std::unique_ptr<SiftEngine> make_gpu_engine(const SiftParts& parts, const std::shared_ptr<Gpu>& gpu);

}  // namespace octavo
