#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/api.h"
#include "octavo/image.h"
#include "octavo/io/read_options.h"
#include "octavo/value_range.h"

// Files of images: read, written, and told from others by their names.

namespace OCTAVO_API octavo {

/// Decodes JPEG (grey, RGB, CMYK), PNG, TIFF (8, 16 bit, float), WebP, BMP, PGM and PPM, and, if Octavo was built with
/// giflib, libheif and OpenJPEG, GIF, HEIC, AVIF and JPEG 2000. The content decides, not the name. Of a file with
/// several images (an animation, pages) the first is read: of HEIC and AVIF the primary one, of a TIFF the first that
/// is not marked as a thumbnail. The result has the file's own channels, 1 (grey), 2 (grey, alpha), 3 (RGB) or 4 (RGB,
/// alpha), and the file's own depth, u8, u16 or f32; palettes and ink (CMYK) become RGB, half floats, doubles and
/// samples with a sign or of 32 bits f32. docs/image-formats.md tells more of each format. The values of u16 and f32
/// images that `options.range` names become 0 and full scale; pixels where `mask` (u8, one channel, the image's size)
/// is 0 do not count for it. Throws Error(file_error) naming the file and what is wrong with it: missing, a directory,
/// not permitted, empty, of another format, truncated, damaged, without a finite sample, or of more than `max_pixels`;
/// Error(invalid_option) for `options`, Error(out_of_memory).
Image read_image(const std::filesystem::path& file, const ReadOptions& options = {}, const Image* mask = nullptr);

/// The same for a file held in memory; `name` is what the errors call it.
Image decode_image(std::span<const std::byte> bytes, const std::string& name, const ReadOptions& options = {},
                   const Image* mask = nullptr);

/// Whether a file's name ends, in letters of either case, as those of images that read_image knows: .jpg, .jpeg,
/// .png, .tif, .tiff, .webp, .bmp, .gif, .pgm, .ppm, .pnm, .heic, .heif, .avif, .jp2, .j2k. The file is not looked at:
/// this tells the images of a folder from its other files.
bool looks_like_image(const std::filesystem::path& file);

/// These endings, such as ".jpg".
std::span<const std::string_view> image_endings();

/// Encodes by the file name's ending: .png (u8, u16), .jpg or .jpeg (u8, quality 95), .tif or .tiff (u8, u16, f32),
/// .webp (u8, lossless), .pgm (grey) and .ppm (colour; u8, u16). Deeper samples are rounded to what the format holds,
/// alpha is left out where the format has none. The file appears whole or not at all; a device such as /dev/stdout is
/// written directly. Throws Error(file_error) naming the file, Error(invalid_argument) for an image that cannot be
/// used.
void write_image(const std::filesystem::path& file, const ImageView& image);

/// Gives the samples of an image that was read with `scale` (Photograph::scale) their stored values back, if the format
/// of that name holds samples of their type; otherwise it stays as it is, in the full range. Throws what write_image
/// throws for the name.
void restore_values(Image& image, const ValueRange& scale, const std::string& name);

/// Throws Error(invalid_option) for the option `output` if write_image knows no format for the name of one of the
/// files, or the format holds no colours and the images are `in_colour`, and Error(file_error) if one of the files
/// cannot be written (require_writable). A job calls it before the work.
void require_writable_images(std::span<const std::filesystem::path> files, bool in_colour);

/// The bytes of that file; `name`, whose ending chooses the format, is what the errors call it.
std::vector<std::byte> encode_image(const std::string& name, const ImageView& image);

}  // namespace octavo
