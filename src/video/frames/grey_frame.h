#pragma once

#include <cstdint>

#include "octavo/error.h"
#include "octavo/image_view.h"

namespace octavo::video {

/// Throws Error(invalid_argument) unless the image is grey, of 8 bits, with a pixel.
inline void require_grey(const ImageView& image) {
  const bool is_grey = image.data != nullptr && image.width > 0 && image.height > 0 && image.channels == 1 &&
                       image.type == PixelType::u8;
  if (!is_grey) throw Error(ErrorCode::invalid_argument, "a frame must be a grey image of 8 bits");
}

inline const std::uint8_t* grey_row(const ImageView& image, int y) {
  return reinterpret_cast<const std::uint8_t*>(image.row(y));
}

}  // namespace octavo::video
