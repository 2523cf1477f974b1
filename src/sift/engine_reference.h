#pragma once

#include <memory>

#include "sift/engine.h"

namespace octavo {

/// The engine of plain loops on whole planes.
std::unique_ptr<SiftEngine> make_reference_engine(const SiftOptions& options);

}  // namespace octavo
