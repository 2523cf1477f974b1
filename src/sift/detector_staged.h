// SIFT stage by stage on an engine, for the CPU and the reference.

#pragma once

#include <memory>

#include "extract/detector.h"
#include "octavo/sift_options.h"
#include "sift/engine.h"

namespace octavo {

/// The work is done in `begin`; `finish` only returns the result.
std::unique_ptr<Detector> make_sift_detector_staged(const SiftOptions& options, std::unique_ptr<SiftEngine> engine);

}  // namespace octavo
