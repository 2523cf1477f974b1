#pragma once

#include "imageio/decoders.h"

namespace octavo::imageio {

/// Throws DecodeError if libheif would visit many more than `max_pixels` pixels to decode the primary picture of a
/// HEIC or AVIF file, or would never end. It checks sizes only after it has allocated memory for them.
void check_heif_work(Bytes file, std::uint64_t max_pixels);

}  // namespace octavo::imageio
