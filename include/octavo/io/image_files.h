#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "octavo/api.h"
#include "octavo/image.h"
#include "octavo/image_view.h"
#include "octavo/io/camera_facts.h"
#include "octavo/io/image_formats.h"

// Files of images: how they are read, and what they say of the camera.

namespace OCTAVO_API octavo {

/// Decodes JPEG (grey, RGB, CMYK), PNG, TIFF (8, 16 bit, float), WebP, BMP, PGM and PPM, and, if Octavo was built with
/// giflib, libheif and OpenJPEG, GIF, HEIC, AVIF and JPEG 2000. The content decides, not the name. Of a file with
/// several images (an animation, pages) the first is read: of HEIC and AVIF the primary one, of a TIFF the first that
/// is not marked as a thumbnail. The result has the file's own channels, 1 (grey), 2 (grey, alpha), 3 (RGB) or 4 (RGB,
/// alpha), and the file's own depth, u8, u16 or f32; palettes and ink (CMYK) become RGB, half floats, doubles and
/// samples with a sign or of 32 bits f32. A JPEG that lacks its last marker alone (EOI) is read, and a warning.
/// docs/image-formats.md tells more of each format. The values of u16 and f32 images that `options.range` names become
/// 0 and full scale; pixels where `mask` (u8, one channel, the image's size) is 0 do not count for it. Throws
/// Error(file_error) naming the file and what is wrong with it: missing, a directory, not permitted, empty, of another
/// format, truncated, damaged, without a finite sample, or of more than `max_pixels`; Error(invalid_option) for
/// `options`, Error(out_of_memory).
Image read_image(const std::filesystem::path& file, const ReadOptions& options = {}, const Image* mask = nullptr);

/// The same for a file held in memory; `name` is what the errors call it.
Image decode_image(std::span<const std::byte> bytes, const std::string& name, const ReadOptions& options = {},
                   const Image* mask = nullptr);

/// Gives the samples of an image that was read with `scale` (Photograph::scale) their stored values back, if the format
/// of that name holds samples of their type; otherwise it stays as it is, in the full range. Throws what write_image
/// throws for the name.
void restore_values(Image& image, const ValueRange& scale, const std::string& name);

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
Photograph read_stored(const std::filesystem::path& file, const ReadOptions& options = {}, const Image* mask = nullptr);

/// The same as read_photograph for a file held in memory; `name` is what the errors call it.
Photograph decode_photograph(std::span<const std::byte> bytes, const std::string& name, const ReadOptions& options = {},
                             const Image* mask = nullptr);

/// An image as it is stored, as mosaics take it: its values may be of any unit.
struct StoredImage {
  // NOLINTNEXTLINE(google-explicit-constructor): an image is enough
  StoredImage(Image pixels, std::optional<double> missing = {}, std::optional<ValueRange> range = {})
      : image(std::move(pixels)), no_data(missing), scale(range) {}

  /// Where alpha is less than half, and where a colour is NaN, infinite, `no_data`, or a float that values_used takes
  /// for missing data, the image shows nothing.
  Image image;
  std::optional<double> no_data;
  std::optional<ValueRange> scale;       ///< what becomes 0 and full scale; none: full_scale of values_used
  std::optional<double> focal_length{};  ///< [pixel] Photograph::focal_length
};

}  // namespace octavo
