// EXIF data are read with libexiv2. The entries that are used: the orientation of the first directory, and what the
// directory of the photograph says of the focal length. libexiv2 copies the content of every entry, and entries may
// share bytes: a block of 30 MB would take 7 GB. So only as many bytes are read as a JPEG's segment can hold. The
// entries that are used stand before thumbnails.

#include "imageio/exif.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
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

/// The entry, if it is a single whole number.
std::optional<long> whole(const Exiv2::ExifData& notes, const char* key) {
  const auto found = notes.findKey(Exiv2::ExifKey(key));
  if (found == notes.end() || found->count() != 1) return std::nullopt;
  if (found->typeId() != Exiv2::unsignedShort && found->typeId() != Exiv2::unsignedLong) return std::nullopt;
  return found->toLong();
}

std::optional<double> positive_whole(const Exiv2::ExifData& notes, const char* key) {
  const std::optional<long> number = whole(notes, key);
  if (!number || *number < 1) return std::nullopt;
  return static_cast<double>(*number);
}

/// The entry, if it is a single quotient above 0 of two whole numbers.
std::optional<double> positive_quotient(const Exiv2::ExifData& notes, const char* key) {
  const auto found = notes.findKey(Exiv2::ExifKey(key));
  if (found == notes.end() || found->count() != 1 || found->typeId() != Exiv2::unsignedRational) return std::nullopt;
  // libexiv2 gives the unsigned numbers as signed ones.
  const auto [signed_top, signed_bottom] = found->toRational();
  const auto top = static_cast<std::uint32_t>(signed_top), bottom = static_cast<std::uint32_t>(signed_bottom);
  if (top == 0 || bottom == 0) return std::nullopt;
  return static_cast<double>(top) / bottom;
}

/// FocalPlaneResolutionUnit: 2 is the inch, also where it is missing, and 3 the centimetre.
std::optional<double> millimetres_of_unit(const Exiv2::ExifData& notes) {
  const long unit = whole(notes, "Exif.Photo.FocalPlaneResolutionUnit").value_or(2);
  if (unit == 2) return 25.4;
  if (unit == 3) return 10.0;
  return std::nullopt;
}

ExifFacts facts_of(const Exiv2::ExifData& notes) {
  ExifFacts facts;
  const long orientation = whole(notes, "Exif.Image.Orientation").value_or(1);
  if (orientation >= 1 && orientation <= 8) facts.orientation = static_cast<int>(orientation);
  facts.focal_length_in_35mm = positive_whole(notes, "Exif.Photo.FocalLengthIn35mmFilm");
  facts.focal_length = positive_quotient(notes, "Exif.Photo.FocalLength");
  facts.width = positive_whole(notes, "Exif.Photo.PixelXDimension");
  const std::optional<double> resolution = positive_quotient(notes, "Exif.Photo.FocalPlaneXResolution");
  const std::optional<double> millimetres = millimetres_of_unit(notes);
  if (resolution && millimetres) facts.pixels_per_mm = *resolution / *millimetres;
  return facts;
}

}  // namespace

ExifFacts exif_facts(std::span<const std::byte> block) {
  block = block.first(std::min(block.size(), most_bytes));
  silence_libexiv2();
  try {
    Exiv2::ExifData notes;
    const auto* bytes = reinterpret_cast<const Exiv2::byte*>(block.data());
    Exiv2::ExifParser::decode(notes, bytes, static_cast<std::uint32_t>(block.size()));
    return facts_of(notes);
  } catch (const std::exception&) {
    return {};
  }
}

std::optional<double> focal_length_of(const ExifFacts& facts, ImageSize size) {
  double pixels = 0;
  if (facts.focal_length_in_35mm) {
    pixels = *facts.focal_length_in_35mm * std::hypot(size.width, size.height) / std::hypot(36, 24);
  } else if (facts.focal_length && facts.pixels_per_mm) {
    pixels = *facts.focal_length * *facts.pixels_per_mm * (size.width / facts.width.value_or(size.width));
  }
  if (!(pixels >= 1e-3 && pixels <= 1e7)) return std::nullopt;
  return pixels;
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
