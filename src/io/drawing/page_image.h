#pragma once

#include <string>

#include "io/pages/report_page.h"
#include "octavo/image_view.h"

namespace octavo::io {

/// The image (u8, RGB), reduced so that no side is longer than `longest_side` [pixel].
Image reduced(const ImageView& image, int longest_side);

/// The image (u8, 1 or 3 channels) as an image of a page, compressed so that artefacts are hard to see. Throws
/// Error(invalid_argument) for one with a side beyond 65500 pixels, which JPEG cannot hold.
PageImage page_image(const ImageView& image, std::string caption);

}  // namespace octavo::io
