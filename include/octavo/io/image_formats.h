#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/api.h"
#include "octavo/image_view.h"

// The formats of image files: how a file is told to be one, and how images are written.

namespace OCTAVO_API octavo {

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

/// Throws Error(invalid_option) for the option `output` if write_image knows no format for the name of one of the
/// files, or the format holds no colours and the images are `in_colour`, and Error(file_error) if one of the files
/// cannot be written (require_writable). A job calls it before the work.
void require_writable_images(std::span<const std::filesystem::path> files, bool in_colour);

/// The bytes of that file; `name`, whose ending chooses the format, is what the errors call it.
std::vector<std::byte> encode_image(const std::string& name, const ImageView& image);

}  // namespace octavo
