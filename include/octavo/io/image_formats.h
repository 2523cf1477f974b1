#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/api.h"
#include "octavo/image_view.h"
#include "octavo/io/camera_facts.h"
#include "octavo/option_table.h"

// Image files: how they are read and written, which formats there are, and what files hold beside the pixels.
// octavo/io/image_files.h reads the pixels.

namespace OCTAVO_API octavo {

/// Which values of u16 and f32 images become 0 and full scale.
enum class InputRange {
  image,  ///< those that the image uses: full_scale(values_used), see octavo/image_view.h
  full,   ///< 0 and 65535, 0 and 1: values stay as they are stored
};

/// Is told a sentence, which names the file, of each image that is read though its file is not whole, or that the range
/// in ReadOptions does not concern, on any thread that reads. It changes no pixel, so that options that differ in it
/// alone are equal.
struct ReadWarning {
  std::function<void(const std::string& sentence)> tell{};
  bool of_range = true;  ///< also of an image of 8 bits, on which `black` and `white` have no effect

  friend bool operator==(const ReadWarning&, const ReadWarning&) { return true; }
};

/// How images are read from files.
struct ReadOptions {
  /// Turn the image as its EXIF data say. The rotation of HEIC and AVIF stands in the container and is always
  /// applied.
  bool apply_exif_rotation = true;
  /// The most pixels of an image, 1 to 2^30. A larger one is an error before its memory is taken. Reading takes at
  /// most 64 bytes of memory for each pixel that this allows, and twice the file; docs/image-formats.md has the
  /// figures.
  std::uint64_t max_pixels = std::uint64_t{1} << 28;
  InputRange range = InputRange::image;
  /// Values that become 0 and full scale, in place of `range`, as for images of a set that belongs together. Both 0: of
  /// `range`.
  double black = 0, white = 0;
  ReadWarning warning{};

  bool operator==(const ReadOptions&) const = default;
};

/// Name, kind, range, unit and meaning of every option.
template <>
const OptionTable<ReadOptions>& option_table<ReadOptions>();

/// Throws Error(invalid_option), which names the option; also unless `black` is below `white` or both are 0.
void validate(const ReadOptions& options);

/// The range that the options choose, in words: "image", "full" or "0 to 4095".
std::string range_text(const ReadOptions& options);

// The formats of image files: how a file is told to be one, and how images are written.

/// The format of an image that begins with these bytes, 64 or more, if read_image knows it: "jpeg", "png", "tiff",
/// "webp", "bmp", "gif", "pnm", "heif" (HEIC and AVIF) or "jpeg2000". Empty: it is none of them.
std::string_view image_format(std::span<const std::byte> begin);

/// Whether a file's name ends, in letters of either case, as those of images that read_image knows: .jpg, .jpeg,
/// .jpe, .jfif, .png, .tif, .tiff, .webp, .bmp, .gif, .pgm, .ppm, .pnm, .heic, .heif, .hif, .avif, .jp2, .j2k, .j2c.
/// The file is not looked at: this tells the images of a folder from its other files.
bool looks_like_image(const std::filesystem::path& file);

/// These endings, such as ".jpg".
std::span<const std::string_view> image_endings();

/// Encodes by the file name's ending: .png (u8, u16), .jpg or .jpeg (u8, quality 95), .tif or .tiff (u8, u16, f32),
/// .webp (u8, lossless), .pgm (grey) and .ppm (colour; u8, u16). Deeper samples are rounded to what the format holds,
/// alpha is left out where the format has none. The file appears whole or not at all; a device such as /dev/stdout is
/// written directly. Throws Error(file_error) naming the file, Error(invalid_argument) for an image that cannot be
/// used.
void write_image(const std::filesystem::path& file, const ImageView& image);
/// The same. If a stop is requested while it encodes, nothing is written.
void write_image_unless_stopped(const std::filesystem::path& file, const ImageView& image, const std::stop_token& stop);

/// Throws Error(invalid_option) for the option if write_image knows no format for the name of one of the
/// files, or the format holds no colours and the images are `in_colour`, and Error(file_error) if one of the files
/// cannot be written (require_writable). A job calls it before the work.
void require_writable_images(std::span<const std::filesystem::path> files, bool in_colour,
                             std::string_view option = "output");

/// The bytes of that file; `name`, whose ending chooses the format, is what the errors call it.
std::vector<std::byte> encode_image(const std::string& name, const ImageView& image);

// What files of images hold beside the pixels, as other programs read it.

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

/// Writes an image as the other write_image does, with its metadata: JPEG, PNG and TIFF. Other
/// formats are written without. A TIFF gets the usual entries of the EXIF data, without notes of makers. Throws the
/// same, and Error(file_error) for metadata that the format cannot hold.
void write_image(const std::filesystem::path& file, const ImageView& image, const ImageMetadata& metadata);

}  // namespace octavo
