// SIFT stage by stage on an engine, for the CPU and the reference.

#pragma once

#include <memory>

#include "engine/extract/detector.h"
#include "engine/sift/engine.h"

namespace octavo {

/// The work is done in `begin`; `finish` only returns the result.
std::unique_ptr<Detector> make_sift_detector_staged(const SiftParts& parts, std::unique_ptr<SiftEngine> engine);

}  // namespace octavo
