#pragma once

#include "imageio/decoders.h"

namespace octavo::imageio {

/// Whether a picture of a HEIF file is made from itself, directly or by way of others (references "dimg" of ISO/IEC
/// 23008-12, as grids have them), or in more than 16 steps. libheif decodes a picture of itself without an end.
bool has_circular_pictures(Bytes file);

}  // namespace octavo::imageio
