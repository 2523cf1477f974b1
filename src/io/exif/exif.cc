// EXIF data are read with libexif. The entries that are used: the orientation and the camera's name of the first
// directory, what the directory of the photograph says of the focal length, and the place of the GPS directory.
// libexif reads as many bytes as a JPEG's segment can hold, keeps entries of known tags alone, and of each tag the
// first: entries may share bytes, and a block of 30 MB would otherwise take gigabytes.

#include "io/exif/exif.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "io/exif/exif_notes.h"

namespace octavo::io {
namespace {

const ExifEntry* entry(const Notes& notes, ExifIfd directory, int tag) {
  return exif_content_get_entry(notes->ifd[directory], static_cast<ExifTag>(tag));
}

/// The entry, if it is `count` unsigned quotients.
const ExifEntry* quotients(const Notes& notes, ExifIfd directory, int tag, unsigned long count) {
  const ExifEntry* found = entry(notes, directory, tag);
  return found && found->format == EXIF_FORMAT_RATIONAL && found->components == count ? found : nullptr;
}

/// The i-th of an entry's unsigned quotients.
std::optional<double> quotient(const Notes& notes, const ExifEntry& found, std::size_t i) {
  const auto [top, bottom] = exif_get_rational(found.data + 8 * i, exif_data_get_byte_order(notes.get()));
  if (bottom == 0) return std::nullopt;
  return static_cast<double>(top) / bottom;
}

/// The entry, if it is a single whole number.
std::optional<std::uint32_t> whole(const Notes& notes, ExifIfd directory, int tag) {
  const ExifEntry* found = entry(notes, directory, tag);
  if (!found || found->components != 1) return std::nullopt;
  const ExifByteOrder order = exif_data_get_byte_order(notes.get());
  if (found->format == EXIF_FORMAT_SHORT) return exif_get_short(found->data, order);
  if (found->format == EXIF_FORMAT_LONG) return exif_get_long(found->data, order);
  return std::nullopt;
}

std::optional<double> positive_whole(const Notes& notes, int tag) {
  const std::optional<std::uint32_t> number = whole(notes, EXIF_IFD_EXIF, tag);
  if (!number || *number == 0) return std::nullopt;
  return *number;
}

/// The entry, if it is a single quotient above 0 of two whole numbers.
std::optional<double> positive_quotient(const Notes& notes, int tag) {
  const ExifEntry* found = quotients(notes, EXIF_IFD_EXIF, tag, 1);
  const std::optional<double> number = found ? quotient(notes, *found, 0) : std::nullopt;
  if (!number || *number == 0) return std::nullopt;
  return number;
}

/// The entry as text, up to its terminating zero and without blanks at its ends.
std::string text(const Notes& notes, ExifIfd directory, int tag) {
  const ExifEntry* found = entry(notes, directory, tag);
  if (!found || found->format != EXIF_FORMAT_ASCII) return {};
  std::string_view words(reinterpret_cast<const char*>(found->data), found->size);
  words = words.substr(0, words.find('\0'));
  constexpr const char* blanks = " \t\r\n";
  const std::size_t begin = words.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return std::string(words.substr(begin, words.find_last_not_of(blanks) - begin + 1));
}

/// [degree] An angle of degrees, minutes and seconds, each a quotient. The tag before it has the letter of its side;
/// `negative` is that letter of negative angles.
std::optional<double> degrees(const Notes& notes, int tag, char negative, double most) {
  const ExifEntry* found = quotients(notes, EXIF_IFD_GPS, tag, 3);
  if (!found) return std::nullopt;
  const std::optional<double> whole_degrees = quotient(notes, *found, 0), minutes = quotient(notes, *found, 1);
  if (!whole_degrees || !minutes) return std::nullopt;
  // 0/0 seconds: they are in the minutes.
  const double angle = *whole_degrees + *minutes / 60 + quotient(notes, *found, 2).value_or(0) / 3600;
  if (angle > most) return std::nullopt;
  return text(notes, EXIF_IFD_GPS, tag - 1).starts_with(negative) ? -angle : angle;
}

std::optional<GpsPlace> place_of(const Notes& notes) {
  const auto latitude = degrees(notes, EXIF_TAG_GPS_LATITUDE, 'S', 90);
  const auto longitude = degrees(notes, EXIF_TAG_GPS_LONGITUDE, 'W', 180);
  if (!latitude || !longitude) return std::nullopt;
  GpsPlace place{.latitude = *latitude, .longitude = *longitude, .altitude = {}};
  if (const ExifEntry* height = quotients(notes, EXIF_IFD_GPS, EXIF_TAG_GPS_ALTITUDE, 1)) {
    place.altitude = quotient(notes, *height, 0);
  }
  const ExifEntry* below = entry(notes, EXIF_IFD_GPS, EXIF_TAG_GPS_ALTITUDE_REF);
  if (place.altitude && below && below->size == 1 && below->data[0] == 1) place.altitude = -*place.altitude;
  return place;
}

/// FocalPlaneResolutionUnit: 2 is the inch, also where it is missing, and 3 the centimetre.
std::optional<double> millimetres_of_unit(const Notes& notes) {
  const std::uint32_t unit = whole(notes, EXIF_IFD_EXIF, EXIF_TAG_FOCAL_PLANE_RESOLUTION_UNIT).value_or(2);
  if (unit == 2) return 25.4;
  if (unit == 3) return 10.0;
  return std::nullopt;
}

}  // namespace

Notes new_notes() {
  Notes notes(exif_data_new());
  if (!notes) throw std::bad_alloc();
  // Otherwise entries that should be there would be made up, and numbers converted.
  exif_data_unset_option(notes.get(), EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
  return notes;
}

Notes read_notes(std::span<const std::byte> block) {
  constexpr std::size_t most_bytes = 65536;
  constexpr std::array<unsigned char, 6> name{'E', 'x', 'i', 'f'};  // as a JPEG's segment begins
  Notes notes = new_notes();
  std::vector<unsigned char> segment(name.begin(), name.end());
  const auto* bytes = reinterpret_cast<const unsigned char*>(block.data());
  segment.insert(segment.end(), bytes, bytes + std::min(block.size(), most_bytes));
  exif_data_load_data(notes.get(), segment.data(), static_cast<unsigned>(segment.size()));
  return notes;
}

CameraFacts exif_facts(std::span<const std::byte> block) {
  const Notes notes = read_notes(block);
  CameraFacts facts;
  const std::uint32_t orientation = whole(notes, EXIF_IFD_0, EXIF_TAG_ORIENTATION).value_or(1);
  if (orientation >= 1 && orientation <= 8) facts.orientation = static_cast<int>(orientation);
  facts.focal_length_in_35mm = positive_whole(notes, EXIF_TAG_FOCAL_LENGTH_IN_35MM_FILM);
  facts.focal_length = positive_quotient(notes, EXIF_TAG_FOCAL_LENGTH);
  facts.width = positive_whole(notes, EXIF_TAG_PIXEL_X_DIMENSION);
  const std::optional<double> resolution = positive_quotient(notes, EXIF_TAG_FOCAL_PLANE_X_RESOLUTION);
  const std::optional<double> millimetres = millimetres_of_unit(notes);
  if (resolution && millimetres) facts.pixels_per_mm = *resolution / *millimetres;
  facts.make = text(notes, EXIF_IFD_0, EXIF_TAG_MAKE);
  facts.model = text(notes, EXIF_IFD_0, EXIF_TAG_MODEL);
  facts.place = place_of(notes);
  return facts;
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

}  // namespace octavo::io
