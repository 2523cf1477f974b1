// EXIF 2.32 keeps its notes in the form of a TIFF file: "II*\0" or "MM\0*" for the byte order, the offset of a
// directory, and there 12-byte entries: tag, type, count, value. Only one entry matters here, tag 274, the orientation.

#include "imageio/exif.h"

#include <cstring>
#include <utility>

namespace octavo::imageio {
namespace {

/// Numbers at offsets of a block, in the block's byte order; beyond its end they read 0.
class Reader {
 public:
  explicit Reader(Bytes block) : block_(block), big_endian_(!block.empty() && block[0] == std::byte{'M'}) {}

  [[nodiscard]] std::uint32_t number(std::size_t offset, std::size_t bytes) const {
    if (offset > block_.size() || block_.size() - offset < bytes) return 0;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) {
      const std::size_t place = big_endian_ ? i : bytes - 1 - i;
      value = value << 8 | std::to_integer<std::uint32_t>(block_[offset + place]);
    }
    return value;
  }

 private:
  Bytes block_;
  bool big_endian_;
};

}  // namespace

int exif_orientation(Bytes exif) {
  constexpr std::uint32_t orientation_tag = 274;
  constexpr std::size_t entry_size = 12;
  const Reader reader(exif);
  if (reader.number(2, 2) != 42) return 1;
  const std::size_t directory = reader.number(4, 4);
  const std::size_t entries = reader.number(directory, 2);
  for (std::size_t i = 0; i < entries; ++i) {
    const std::size_t entry = directory + 2 + i * entry_size;
    if (reader.number(entry, 2) != orientation_tag) continue;
    const auto value = static_cast<int>(reader.number(entry + 8, 2));
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

Image turned_upright(Image stored, int orientation) {
  if (orientation <= 1 || orientation > 8) return stored;
  const bool transposed = orientation >= 5;
  const bool from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  const bool from_bottom = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
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

}  // namespace octavo::imageio
