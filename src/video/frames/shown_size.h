#pragma once

// The size of a frame as it is shown. Pixels that are not square are made square as players do: the side along which
// they are longer is stretched. The image is then reduced to a longest side. Sides are rounded to whole pixels, once.

#include <cstdint>

#include "octavo/image_view.h"
#include "octavo/video/video_file.h"

namespace octavo::video {

/// Whether the shape of pixels can be true: both numbers are positive, and their ratio is 1/8 to 8.
bool is_credible(Ratio pixel_aspect);

/// The size before rotation of a stored frame with sides 1…65535, with pixels of a credible shape, and no more than
/// `longest_side` pixels long, unless that is 0.
ImageSize shown_size(ImageSize stored, Ratio pixel_aspect, std::int64_t longest_side);

}  // namespace octavo::video
