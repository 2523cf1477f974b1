#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/image_view.h"
#include "octavo/io/camera_facts.h"
#include "octavo/io/read_options.h"

// What files of images hold beside the pixels, as other programs read it.

namespace OCTAVO_API octavo {

/// Each member is empty where nothing is said.
struct ImageMetadata {
  /// An ICC profile (ISO 15076-1): what the colours mean. Without one they are sRGB.
  std::vector<std::byte> icc{};
  std::vector<std::byte> exif{};  ///< EXIF data: a TIFF header and its directories, without "Exif\0\0" before it
  std::string xmp{};              ///< XMP (ISO 16684-1): XML text

  friend bool operator==(const ImageMetadata&, const ImageMetadata&) = default;
};

/// The profile, the EXIF data and the XMP of a file. Of XMP the extension that a JPEG may have for large data is not
/// read. Profiles of other colours than those that read_image gives, such as ink, are left
/// out, and so are those of JPEG 2000. EXIF data are as they are stored; of a TIFF they are a block of the entries that
/// write_image writes. BMP, GIF, PGM, PPM and JPEG 2000 give nothing. The pixels are not decoded. Throws
/// Error(file_error) naming the file, Error(out_of_memory).
ImageMetadata read_metadata(const std::filesystem::path& file);

/// The same for a file held in memory; `name` is what the errors call it.
ImageMetadata decode_metadata(std::span<const std::byte> bytes, const std::string& name);

/// The facts of an image's file. Of a JPEG only the headers are decoded, of the other formats the image too. Formats
/// without EXIF data (see Photograph) give none. Throws what read_image throws.
CameraFacts read_camera_facts(const std::filesystem::path& file, const ReadOptions& options = {});

/// Writes an image as write_image of octavo/io/image_formats.h does, with its metadata: JPEG, PNG and TIFF. Other
/// formats are written without. A TIFF gets the usual entries of the EXIF data, without notes of makers. Throws the
/// same, and Error(file_error) for metadata that the format cannot hold.
void write_image(const std::filesystem::path& file, const ImageView& image, const ImageMetadata& metadata);

}  // namespace octavo
