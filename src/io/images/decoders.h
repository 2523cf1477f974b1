#pragma once

// One decoder per file format, all with the same interface: they turn the bytes of a file into the stored pixels. Each
// is strict, so that a truncated or damaged file is an error and never an image with grey patches. None of them prints
// anything. `max_pixels` bounds their work and memory, which each checks before it begins.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "io/exif/exif.h"
#include "io/images/decode_error.h"
#include "octavo/image.h"
#include "octavo/io/image_formats.h"

namespace octavo::io {

/// An image as stored, and what its file says of it. Floats may have any value.
struct Decoded {
  Image image;
  CameraFacts exif{};
  std::optional<double> no_data{};  ///< the sample that stands for missing data
  std::string lack{};               ///< what the file lacks though all pixels are there, as the end of a sentence
};

Decoded decode_jpeg(Bytes file, std::uint64_t max_pixels);
Decoded decode_png(Bytes file, std::uint64_t max_pixels);
Decoded decode_tiff(Bytes file, std::uint64_t max_pixels);
Decoded decode_webp(Bytes file, std::uint64_t max_pixels);
Decoded decode_pnm(Bytes file, std::uint64_t max_pixels);

Decoded decode_bmp(Bytes file, std::uint64_t max_pixels);

/// Whether the bytes begin with the headers of a Windows bitmap. Its signature alone is two letters.
bool is_bmp(Bytes file);

/// These refuse every file in a build without giflib, libheif or OpenJPEG.
Decoded decode_gif(Bytes file, std::uint64_t max_pixels);
Decoded decode_heif(Bytes file, std::uint64_t max_pixels);
Decoded decode_jpeg2000(Bytes file, std::uint64_t max_pixels);

/// The profile, as it is stored, and the EXIF data, of which the pixels are not needed.
ImageMetadata jpeg_metadata(Bytes file);
ImageMetadata png_metadata(Bytes file);
ImageMetadata tiff_metadata(Bytes file);
ImageMetadata webp_metadata(Bytes file);
ImageMetadata heif_metadata(Bytes file);

/// [byte] The longest profile that is read: a deflated one may unpack to a thousand times its size.
inline constexpr std::size_t most_profile = std::size_t{1} << 24;

}  // namespace octavo::io
