// FOAGDD as plain loops: the definition that every device must reproduce bit for bit.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "foagdd/foagdd.h"

namespace octavo {

namespace reference {

/// The image in grey, extended: pixel (y, x) of the image is at (y + extended_margin, x + extended_margin).
Plane extended(const ImageView& image, Luma luma);

/// Some pixels of the image.
struct Region {
  int row_begin, row_end;  ///< the end is the row after the last
  int column_begin, column_end;
};

/// The keys of the measures in a region, row by row.
std::vector<std::int32_t> measures(const Plane& extended, const FoagddPlan& plan, const FoagddFilter& filter,
                                   const Region& region);

}  // namespace reference

std::unique_ptr<FoagddEngine> make_foagdd_reference(const FoagddOptions& options);

}  // namespace octavo
