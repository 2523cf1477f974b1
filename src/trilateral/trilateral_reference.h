// The trilateral filter as plain loops: the definition that every device must reproduce bit for bit.

#pragma once

#include <memory>

#include "trilateral/trilateral.h"

namespace octavo {

std::unique_ptr<TrilateralEngine> make_trilateral_reference(const TrilateralOptions& options);

}  // namespace octavo
