// Buffers are kept, so memory is checked again only for an image that is larger than those before: the buffers of the
// work grow with its pixels and, by their margins, with its sides; those of the upload grow with its bytes.

#pragma once

#include <algorithm>
#include <cstdint>

#include "octavo/image_view.h"

namespace octavo {

/// The largest images, and their masks, for which memory was available.
class CheckedImages {
 public:
  [[nodiscard]] bool cover(const ImageView& image, bool masked) const {
    return image.width <= width_ && image.height <= height_ && pixels_of(image) <= pixels_ &&
           bytes_with_mask(image, masked) <= bytes_;
  }
  void add(const ImageView& image, bool masked) {
    width_ = std::max(width_, image.width);
    height_ = std::max(height_, image.height);
    pixels_ = std::max(pixels_, pixels_of(image));
    bytes_ = std::max(bytes_, bytes_with_mask(image, masked));
  }

 private:
  static std::int64_t pixels_of(const ImageView& image) { return std::int64_t{image.width} * image.height; }
  static std::int64_t bytes_with_mask(const ImageView& image, bool masked) {
    const auto bytes = static_cast<std::int64_t>(bytes_of(image.type)) * image.channels;
    return pixels_of(image) * (bytes + (masked ? 1 : 0));
  }

  int width_ = 0, height_ = 0;
  std::int64_t pixels_ = 0, bytes_ = 0;
};

}  // namespace octavo
