#pragma once

#include "octavo/image.h"

namespace octavo::imageio {

/// Brings an f32 image into 0…1. Colours that lie there stay; otherwise [min, max] over all pixels and colours
/// becomes [0, 1], and a constant picture 0. An alpha channel (the last of 2 or 4) is clipped. Throws DecodeError for
/// NaN and infinity in a colour.
void map_to_unit_range(Image& image);

}  // namespace octavo::imageio
