// EXIF data are read with libexiv2. Only one entry is used: the orientation, tag 274 of the first directory, which
// stands at the beginning. libexiv2 copies the content of every entry, and entries may share bytes: a block of 30 MB
// would take 7 GB. So only as many bytes are read as a JPEG's segment can hold.

#include "imageio/exif.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <exiv2/error.hpp>
#include <exiv2/exif.hpp>

namespace octavo::imageio {
namespace {

constexpr std::size_t most_bytes = 65536;

/// libexiv2 prints messages about damaged data on stderr. This is the library's only switch for that, and it applies to
/// the whole program.
void silence_libexiv2() {
  static const bool done = (Exiv2::LogMsg::setLevel(Exiv2::LogMsg::mute), true);
  static_cast<void>(done);
}

}  // namespace

int exif_orientation(Bytes exif) {
  exif = exif.first(std::min(exif.size(), most_bytes));
  silence_libexiv2();
  try {
    Exiv2::ExifData notes;
    const auto* block = reinterpret_cast<const Exiv2::byte*>(exif.data());
    Exiv2::ExifParser::decode(notes, block, static_cast<std::uint32_t>(exif.size()));
    const auto found = notes.findKey(Exiv2::ExifKey("Exif.Image.Orientation"));
    if (found == notes.end() || found->count() != 1) return 1;
    const long value = found->toLong();
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  } catch (const std::exception&) {
    return 1;
  }
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
