// Extraction stage by stage, on an engine: the CPU's and the reference's way.

#pragma once

#include <memory>

#include "sift/engine.h"
#include "sift/extraction.h"

namespace octavo {

/// Works in `begin`; `finish` only hands over.
std::unique_ptr<Extraction> make_staged_extraction(const SiftOptions& options, std::unique_ptr<SiftEngine> engine);

}  // namespace octavo
