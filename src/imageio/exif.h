#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "octavo/image.h"
#include "octavo/image_size.h"

namespace octavo::imageio {

/// What an EXIF block (a TIFF header and its directories) says of a picture.
struct ExifFacts {
  int orientation = 1;                           ///< 1…8; 1 is upright
  std::optional<double> focal_length_in_35mm{};  ///< [mm] above 0
  std::optional<double> focal_length{};          ///< [mm] above 0
  std::optional<double> pixels_per_mm{};         ///< of the sensor, along the rows; above 0
  std::optional<double> width{};                 ///< [pixel] of the picture as the camera stored it; above 0
};

/// The facts in a block. Those that are missing or invalid, and all of a damaged block, are as if nothing were said:
/// damaged EXIF data are no reason to refuse the picture.
ExifFacts exif_facts(std::span<const std::byte> block);

/// [pixel] The focal length of a picture of this size, as it is stored; see Photograph.
std::optional<double> focal_length_of(const ExifFacts& facts, ImageSize size);

/// The picture turned upright. EXIF 2.32, §4.6.4: orientation n gives the sides that the stored row 0 and column 0
/// stand for.
Image turned_upright(Image stored, int orientation);

}  // namespace octavo::imageio
