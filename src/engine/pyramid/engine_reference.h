// Pyramids as plain loops: the definition.

#pragma once

#include <memory>

#include "engine/pyramid/engine.h"

namespace octavo {

std::unique_ptr<PyramidEngine> make_pyramid_reference(const ScaleSpaceOptions& scale_space,
                                                      const PyramidOptions& options);

}  // namespace octavo
