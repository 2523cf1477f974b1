#pragma once

#include <algorithm>
#include <cstddef>

#include "octavo/image_view.h"

namespace octavo::evaluation {

/// The centre of an image of 8 bits. Where the image is smaller than `size` it is the whole side.
struct Centre {
  ImageView view;
  int left = 0, top = 0;  ///< of its first pixel in the image
};

inline Centre centre_of(const ImageView& image, ImageSize size) {
  Centre centre{.view = image};
  centre.view.width = std::min(image.width, size.width);
  centre.view.height = std::min(image.height, size.height);
  centre.left = (image.width - centre.view.width) / 2;
  centre.top = (image.height - centre.view.height) / 2;
  centre.view.data = image.row(centre.top) + std::ptrdiff_t{centre.left} * image.channels;
  return centre;
}

}  // namespace octavo::evaluation
