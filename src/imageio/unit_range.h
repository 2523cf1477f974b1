#pragma once

#include "octavo/image.h"

namespace octavo::imageio {

/// Maps an f32 image to 0…1. If all colours lie in that range, they stay unchanged. Otherwise [min, max] over all
/// pixels and colours becomes [0, 1]; a constant picture becomes 0. An alpha channel (the last of 2 or 4) is clipped.
/// Throws DecodeError for NaN and infinity in a colour.
void map_to_unit_range(Image& image);

}  // namespace octavo::imageio
