#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "octavo/api.h"
#include "octavo/image.h"
#include "octavo/io/camera_facts.h"
#include "octavo/io/read_options.h"
#include "octavo/value_range.h"

namespace OCTAVO_API octavo {

/// An image, and what its EXIF data (EXIF 2.32) say of the camera.
struct Photograph {
  Image image;  ///< as read_image gives it
  /// [pixel] The focal length, if the EXIF data give it. With w × h the size of the image, d its diagonal:
  ///  - FocalLengthIn35mmFilm · d / √(36² + 24²), all lengths of film in mm. The equivalent on film of 36 × 24 mm is
  ///    defined by the diagonals (CIPA DCG-001, 2018). COLMAP 4 computes the same; COLMAP 3.8 takes max(w, h) / 35
  ///    instead of d / 43.27, which is 1 % less for 4:3 and 3 % more for 3:2.
  ///  - otherwise FocalLength · FocalPlaneXResolution · w' / PixelXDimension, with w' the width as it is stored, before
  ///    rotation. The last quotient is that of an image that was made smaller later; it is 1 if PixelXDimension is
  ///    missing.
  /// None: they do not give it, they give 0 (unknown), or a length outside 0.001 … 10^7. The EXIF data of JPEG, PNG,
  /// WebP and TIFF are read, and those of HEIC and AVIF for the first formula; other formats have none. The lens's
  /// distortion is not known, nor that an image is a part of another.
  std::optional<double> focal_length;
  CameraFacts camera{};  ///< what else they say
  ValueRange scale{};    ///< the stored values that became 0 and full scale
  /// The stored value that stands for missing samples, if the file names one.
  std::optional<double> no_data{};
};

/// Reads an image as read_image does, and throws what it throws. EXIF data that are damaged count as missing.
Photograph read_photograph(const std::filesystem::path& file, const ReadOptions& options = {},
                           const Image* mask = nullptr);

/// The same with the samples as they are stored: `scale` is what would become 0 and full scale, and floats may be NaN
/// or infinite.
Photograph read_stored(const std::filesystem::path& file, const ReadOptions& options = {});

/// The same as read_photograph for a file held in memory; `name` is what the errors call it.
Photograph decode_photograph(std::span<const std::byte> bytes, const std::string& name, const ReadOptions& options = {},
                             const Image* mask = nullptr);

/// The facts of an image's file. Of a JPEG only the headers are decoded, of the other formats the image too. Formats
/// without EXIF data (see Photograph) give none. Throws what read_image throws.
CameraFacts read_camera_facts(const std::filesystem::path& file, const ReadOptions& options = {});

}  // namespace octavo
