#include "video/frames/orientation.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "octavo/image.h"

namespace octavo::video {

Orientation orientation_of(double a, double b, double c, double d) {
  const bool swaps = std::abs(b) + std::abs(c) > std::abs(a) + std::abs(d);
  // Where the stored directions right and down point to. An image that is mirrored has them in the other sense.
  if (swaps) {
    const bool mirrored = (b > 0) == (c > 0);
    return {(b > 0) != mirrored ? 90 : 270, mirrored};
  }
  const bool mirrored = (a > 0) != (d > 0);
  return {(a > 0) != mirrored ? 0 : 180, mirrored};
}

bool is_quarter_turn(double a, double b, double c, double d) {
  const double straight = std::max(std::abs(a), std::abs(d)), across = std::max(std::abs(b), std::abs(c));
  return std::min(straight, across) <= 0.01 * std::max(straight, across) && std::max(straight, across) > 0;
}

Image shown(const Image& stored, Orientation orientation) {
  const int w = stored.width(), h = stored.height();
  const bool swaps = orientation.swaps_sides();
  Image result(swaps ? h : w, swaps ? w : h, stored.channels(), stored.type());
  const auto pixel = static_cast<std::size_t>(stored.channels()) * bytes_of(stored.type());
  for (int y = 0; y < result.height(); ++y) {
    std::byte* out = result.row(y);
    for (int x = 0; x < result.width(); ++x, out += pixel) {
      // Turned back by the rotation, then mirrored back.
      int from_x = x, from_y = y;
      if (orientation.rotation == 90) from_x = y, from_y = h - 1 - x;
      if (orientation.rotation == 180) from_x = w - 1 - x, from_y = h - 1 - y;
      if (orientation.rotation == 270) from_x = w - 1 - y, from_y = x;
      if (orientation.mirrored) from_x = w - 1 - from_x;
      std::memcpy(out, stored.row(from_y) + static_cast<std::size_t>(from_x) * pixel, pixel);
    }
  }
  return result;
}

}  // namespace octavo::video
