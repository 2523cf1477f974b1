#pragma once

#include <memory>

#include "engine/sift/engine.h"

namespace octavo {

/// The engine of plain loops on whole planes.
std::unique_ptr<SiftEngine> make_reference_engine(const SiftParts& parts);

}  // namespace octavo
