#pragma once

#include <string>

#include "octavo/image.h"

namespace octavo::cli {

/// [pixel]
struct Size {
  int width = 0, height = 0;
};

/// "1920x1080"; throws CLI::ValidationError for anything else, or sides outside 1…65535.
Size parse_size(const std::string& text);

/// The image scaled until it covers `size`, what is over cut off, the same on all sides.
Image resize_and_crop(const ImageView& image, Size size);

}  // namespace octavo::cli
