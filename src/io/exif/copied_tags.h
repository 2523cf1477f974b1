#pragma once

#include <array>
#include <cstdint>
#include <numeric>

namespace octavo::io {

/// [byte] The longest content that is copied. All entries together fit into a JPEG's segment, even those of a damaged
/// block that share their bytes.
constexpr std::uint64_t most_content = 1024;

// The EXIF entries (EXIF 2.32, §4.6) that Octavo copies from one file to another: what exif_facts reads, and what
// people ask of a photograph. The notes of makers are none of them, as they hold offsets of their own.

/// Of the first directory: Make, Model, Orientation, DateTime, Artist, Copyright.
constexpr std::array<std::uint16_t, 6> camera_tags{271, 272, 274, 306, 315, 33432};

/// Of the photograph's directory: ExposureTime, FNumber, ExposureProgram, the sensitivity, ExifVersion, dates with
/// their offsets, Flash, FocalLength, fractions of seconds, ColorSpace, the size in pixels, the resolution of the
/// sensor, FocalLengthIn35mmFilm, and the lens.
constexpr std::array<std::uint16_t, 25> photograph_tags{33434, 33437, 34850, 34855, 36864, 36867, 36868, 36880, 36881,
                                                        36882, 37385, 37386, 37520, 37521, 37522, 40961, 40962, 40963,
                                                        41486, 41487, 41488, 41989, 42034, 42035, 42036};

/// All of the directory of GPS.
constexpr std::array<std::uint16_t, 32> gps_tags = [] {
  std::array<std::uint16_t, 32> all{};
  std::iota(all.begin(), all.end(), std::uint16_t{0});
  return all;
}();

}  // namespace octavo::io
