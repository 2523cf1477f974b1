// EXIF data are read with libexiv2. The entries that are used: the orientation and the camera's name of the first
// directory, what the directory of the photograph says of the focal length, and the place of the GPS directory.
// libexiv2 copies the content of every entry, and entries may share bytes: a block of 30 MB would take 7 GB. So only as
// many bytes are read as a JPEG's segment can hold. The entries that are used stand before thumbnails.

#include "imageio/exif.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <exiv2/error.hpp>
#include <exiv2/exif.hpp>
#include <string>

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

/// The entry as text, up to its terminating zero and without blanks at its ends.
std::string text(const Exiv2::ExifData& notes, const char* key) {
  const auto found = notes.findKey(Exiv2::ExifKey(key));
  if (found == notes.end() || found->typeId() != Exiv2::asciiString) return {};
  std::string words = found->toString();
  words.resize(std::min(words.find('\0'), words.size()));
  constexpr const char* blanks = " \t\r\n";
  const std::size_t begin = words.find_first_not_of(blanks);
  if (begin == std::string::npos) return {};
  return words.substr(begin, words.find_last_not_of(blanks) - begin + 1);
}

/// The i-th of an entry's unsigned quotients.
std::optional<double> quotient(const Exiv2::Exifdatum& entry, long i) {
  // libexiv2 gives the unsigned numbers as signed ones.
  const auto [signed_top, signed_bottom] = entry.toRational(i);
  const auto top = static_cast<std::uint32_t>(signed_top), bottom = static_cast<std::uint32_t>(signed_bottom);
  if (bottom == 0) return std::nullopt;
  return static_cast<double>(top) / bottom;
}

/// The entry, if it is a single quotient above 0 of two whole numbers.
std::optional<double> positive_quotient(const Exiv2::ExifData& notes, const char* key) {
  const auto found = notes.findKey(Exiv2::ExifKey(key));
  if (found == notes.end() || found->count() != 1 || found->typeId() != Exiv2::unsignedRational) return std::nullopt;
  const std::optional<double> number = quotient(*found, 0);
  if (!number || *number == 0) return std::nullopt;
  return number;
}

/// [degree] An angle of degrees, minutes and seconds, each a quotient. `reference` names the entry with the letter of
/// its side; `negative` is that letter of negative angles.
std::optional<double> degrees(const Exiv2::ExifData& notes, const char* key, const char* reference, char negative,
                              double most) {
  const auto found = notes.findKey(Exiv2::ExifKey(key));
  if (found == notes.end() || found->count() != 3 || found->typeId() != Exiv2::unsignedRational) return std::nullopt;
  const std::optional<double> whole_degrees = quotient(*found, 0), minutes = quotient(*found, 1);
  if (!whole_degrees || !minutes) return std::nullopt;
  // 0/0 seconds: they are in the minutes.
  const double angle = *whole_degrees + *minutes / 60 + quotient(*found, 2).value_or(0) / 3600;
  if (angle > most) return std::nullopt;
  const std::string side = text(notes, reference);
  return !side.empty() && side.front() == negative ? -angle : angle;
}

std::optional<GpsPlace> place_of(const Exiv2::ExifData& notes) {
  const auto latitude = degrees(notes, "Exif.GPSInfo.GPSLatitude", "Exif.GPSInfo.GPSLatitudeRef", 'S', 90);
  const auto longitude = degrees(notes, "Exif.GPSInfo.GPSLongitude", "Exif.GPSInfo.GPSLongitudeRef", 'W', 180);
  if (!latitude || !longitude) return std::nullopt;
  GpsPlace place{.latitude = *latitude, .longitude = *longitude, .altitude = {}};
  const auto height = notes.findKey(Exiv2::ExifKey("Exif.GPSInfo.GPSAltitude"));
  if (height == notes.end() || height->count() != 1 || height->typeId() != Exiv2::unsignedRational) return place;
  place.altitude = quotient(*height, 0);
  const auto below = notes.findKey(Exiv2::ExifKey("Exif.GPSInfo.GPSAltitudeRef"));
  if (place.altitude && below != notes.end() && below->count() == 1 && below->toLong() == 1) {
    place.altitude = -*place.altitude;
  }
  return place;
}

/// FocalPlaneResolutionUnit: 2 is the inch, also where it is missing, and 3 the centimetre.
std::optional<double> millimetres_of_unit(const Exiv2::ExifData& notes) {
  const long unit = whole(notes, "Exif.Photo.FocalPlaneResolutionUnit").value_or(2);
  if (unit == 2) return 25.4;
  if (unit == 3) return 10.0;
  return std::nullopt;
}

CameraFacts facts_of(const Exiv2::ExifData& notes) {
  CameraFacts facts;
  const long orientation = whole(notes, "Exif.Image.Orientation").value_or(1);
  if (orientation >= 1 && orientation <= 8) facts.orientation = static_cast<int>(orientation);
  facts.focal_length_in_35mm = positive_whole(notes, "Exif.Photo.FocalLengthIn35mmFilm");
  facts.focal_length = positive_quotient(notes, "Exif.Photo.FocalLength");
  facts.width = positive_whole(notes, "Exif.Photo.PixelXDimension");
  const std::optional<double> resolution = positive_quotient(notes, "Exif.Photo.FocalPlaneXResolution");
  const std::optional<double> millimetres = millimetres_of_unit(notes);
  if (resolution && millimetres) facts.pixels_per_mm = *resolution / *millimetres;
  facts.make = text(notes, "Exif.Image.Make");
  facts.model = text(notes, "Exif.Image.Model");
  facts.place = place_of(notes);
  return facts;
}

}  // namespace

CameraFacts exif_facts(std::span<const std::byte> block) {
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

std::optional<double> focal_length_of(const CameraFacts& facts, ImageSize size) {
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
