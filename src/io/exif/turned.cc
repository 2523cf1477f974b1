// Between an image as it is stored and as the orientation of its EXIF data turns it.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <numbers>

#include "engine/core/ellipse.h"
#include "io/exif/exif.h"
#include "octavo/image.h"

namespace octavo::io {
namespace {

// A pixel (x, y) of the upright image is the stored one (x, y), or (y, x) if transposed, counted from these sides.
struct Turn {
  bool transposed, from_right, from_bottom;
};

constexpr std::array<Turn, 9> turns{{{false, false, false},
                                     {false, false, false},
                                     {false, true, false},
                                     {false, true, true},
                                     {false, false, true},
                                     {true, false, false},
                                     {true, false, true},
                                     {true, true, true},
                                     {true, true, false}}};

}  // namespace

Image turned_upright(Image stored, int orientation) {
  if (orientation <= 1 || orientation > 8) return stored;
  const auto [transposed, from_right, from_bottom] = turns.at(static_cast<std::size_t>(orientation));
  const int width = transposed ? stored.height() : stored.width();
  const int height = transposed ? stored.width() : stored.height();
  const std::size_t pixel = bytes_of(stored.type()) * static_cast<std::size_t>(stored.channels());

  Image upright(width, height, stored.channels(), stored.type());
  for (int y = 0; y < height; ++y) {
    std::byte* out = upright.row(y);
    for (int x = 0; x < width; ++x, out += pixel) {
      const int along = transposed ? y : x;
      const int down = transposed ? x : y;
      const int column = from_right ? stored.width() - 1 - along : along;
      const int row = from_bottom ? stored.height() - 1 - down : down;
      std::memcpy(out, stored.row(row) + static_cast<std::size_t>(column) * pixel, pixel);
    }
  }
  return upright;
}

ImageSize turn_as_stored(std::span<Keypoint> keypoints, ImageSize upright, int orientation) {
  if (orientation <= 1 || orientation > 8) return upright;
  const auto [transposed, from_right, from_bottom] = turns.at(static_cast<std::size_t>(orientation));
  const ImageSize stored = transposed ? ImageSize{upright.height, upright.width} : upright;
  const float right = from_right ? -1.0F : 1.0F, down = from_bottom ? -1.0F : 1.0F;
  // 0 makes 0 of -0, whose angle would be -π or -0. Clang captures no structured binding before version 16.
  const auto turned = [right, down, transposed = transposed](float x, float y) {
    return transposed ? std::array{right * y + 0.0F, down * x + 0.0F} : std::array{right * x + 0.0F, down * y + 0.0F};
  };
  const float mirrored = transposed == (from_right == from_bottom) ? -1.0F : 1.0F;  // the sign of the determinant
  for (Keypoint& k : keypoints) {
    const auto [x, y] = turned(k.x, k.y);
    k.x = x + (from_right ? static_cast<float>(stored.width - 1) : 0.0F);
    k.y = y + (from_bottom ? static_cast<float>(stored.height - 1) : 0.0F);
    if (has_ellipse(k)) {
      const auto [a11, a21] = turned(k.a11, k.a21);
      const auto [a12, a22] = turned(k.a12, k.a22);
      set_ellipse(k, {a11, mirrored * a12, a21, mirrored * a22});
    } else {
      const auto [along, across] = turned(std::cos(k.orientation), std::sin(k.orientation));
      k.orientation = std::atan2(across, along);
      if (k.orientation < 0) k.orientation += 2 * std::numbers::pi_v<float>;
    }
  }
  return stored;
}

}  // namespace octavo::io
