#pragma once

#include "engine/core/internal_api.h"
#include "octavo/image_view.h"

namespace OCTAVO_INTERNAL_API octavo {

/// The image scaled until it covers `size`, and what is over cut off, the same on opposite sides. Channels and type
/// stay. Pixels are means of areas where the image becomes smaller, bicubic where it becomes larger, clipped to the
/// range of the type. Throws Error(invalid_argument) for an image that cannot be used, for sides outside of 1…65535,
/// and where the scaled image would have more than 2^30 pixels before it is cut; Error(out_of_memory).
Image resize_and_crop(const ImageView& image, ImageSize size);

}  // namespace octavo
