// FOAGDD as plain loops: the definition that every device must reproduce bit for bit.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/core/internal_api.h"
#include "engine/foagdd/foagdd.h"

namespace OCTAVO_INTERNAL_API octavo {

namespace reference {

/// The image in grey as the plan makes it, extended. Pixel (y, x) of the image is at (y + extended_margin, x +
/// extended_margin).
Plane extended(const ImageView& image, const FoagddPlan& plan);

/// The keys of the measures in a region, row by row.
std::vector<std::int32_t> measures(const Plane& extended, const FoagddPlan& plan, const FoagddFilter& filter,
                                   const FoagddRegion& region);

}  // namespace reference

std::unique_ptr<FoagddEngine> make_foagdd_reference(const FoagddOptions& options);

}  // namespace octavo
