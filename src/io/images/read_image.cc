// From a file name to pixels: the bytes are read, the first bytes identify the format, a decoder makes the pixels, the
// image is turned upright, and the values that it uses become the full range. Every error is one sentence that names
// the file.

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/core/check_image.h"
#include "io/exif/exif.h"
#include "io/files/read_bytes.h"
#include "io/images/colour_profile.h"
#include "io/images/decoders.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"
#include "octavo/io/image_formats.h"

namespace octavo {
namespace io {

void check_size(std::uint64_t width, std::uint64_t height, std::uint64_t max_pixels) {
  const std::string size = "it is " + std::to_string(width) + " × " + std::to_string(height) + " pixels";
  if (width == 0 || height == 0) throw DecodeError(size);
  if (width > max_pixels / height) {
    throw DecodeError(size + ", more than `max_pixels`, " + std::to_string(max_pixels));
  }
}

namespace {

bool starts_with(Bytes file, std::string_view signature, std::size_t offset = 0) {
  return file.size() >= offset + signature.size() &&
         std::memcmp(file.data() + offset, signature.data(), signature.size()) == 0;
}

bool is_jpeg(Bytes file) { return starts_with(file, "\xFF\xD8\xFF"); }

/// The first box of HEIF's container is also that of MP4 and others. Its brand distinguishes them.
bool is_heif(Bytes file) {
  using namespace std::string_view_literals;
  if (!starts_with(file, "ftyp"sv, 4)) return false;
  constexpr std::array brands = {"heic"sv, "heix"sv, "heim"sv, "heis"sv, "hevc"sv,
                                 "hevx"sv, "mif1"sv, "msf1"sv, "avif"sv, "avis"sv};
  return std::any_of(brands.begin(), brands.end(), [&](auto brand) { return starts_with(file, brand, 8); });
}

/// Whether the file begins as videos do, some of which hold sound alone: MP4 and MOV, Matroska and WebM, AVI, MPEG,
/// ASF.
bool looks_like_clip(Bytes file) {
  using namespace std::string_view_literals;
  constexpr std::array beginnings = {"\x1A\x45\xDF\xA3"sv, "\0\0\1\xBA"sv, "\x30\x26\xB2\x75"sv};
  return starts_with(file, "ftyp"sv, 4) || (starts_with(file, "RIFF"sv) && starts_with(file, "AVI "sv, 8)) ||
         std::any_of(beginnings.begin(), beginnings.end(), [&](auto one) { return starts_with(file, one); });
}

ImageMetadata no_metadata(Bytes) { return {}; }

/// A format: its name and its functions.
struct Codec {
  std::string_view name;
  Decoded (*decode)(Bytes file, std::uint64_t max_pixels);
  ImageMetadata (*metadata)(Bytes file) = no_metadata;
};

std::optional<Codec> find_codec(Bytes file) {
  using namespace std::string_view_literals;
  constexpr Codec tiff{"tiff", decode_tiff, tiff_metadata}, pnm{"pnm", decode_pnm}, gif{"gif", decode_gif},
      jpeg2000{"jpeg2000", decode_jpeg2000};
  constexpr std::array<std::pair<std::string_view, Codec>, 13> known{
      {{"\x89PNG\r\n\x1A\n"sv, {"png", decode_png, png_metadata}},
       {"II*\0"sv, tiff},
       {"MM\0*"sv, tiff},
       {"II+\0"sv, tiff},
       {"MM\0+"sv, tiff},
       {"P2"sv, pnm},
       {"P3"sv, pnm},
       {"P5"sv, pnm},
       {"P6"sv, pnm},
       {"GIF87a"sv, gif},
       {"GIF89a"sv, gif},
       {"\0\0\0\x0CjP  \r\n\x87\n"sv, jpeg2000},
       {"\xFF\x4F\xFF\x51"sv, jpeg2000}}};
  for (const auto& [signature, codec] : known) {
    if (starts_with(file, signature)) return codec;
  }
  if (is_jpeg(file)) return Codec{"jpeg", decode_jpeg, jpeg_metadata};
  if (starts_with(file, "RIFF"sv) && starts_with(file, "WEBP"sv, 8)) return Codec{"webp", decode_webp, webp_metadata};
  if (is_bmp(file)) return Codec{"bmp", decode_bmp};
  if (is_heif(file)) return Codec{"heif", decode_heif, heif_metadata};
  return std::nullopt;
}

Codec codec_of(Bytes file) {
  if (const std::optional<Codec> codec = find_codec(file)) return *codec;
  if (looks_like_clip(file)) {
    throw DecodeError("it is a video or sound, not an image: octavo video frames takes images out of videos");
  }
  throw DecodeError(file.empty()
                        ? "it is empty"
                        : "it is not a JPEG, PNG, TIFF, WebP, BMP, GIF, PGM, PPM, HEIC, AVIF or JPEG 2000 image");
}

/// The stored values that become 0 and full scale.
ValueRange scale_of(const Image& image, std::optional<double> no_data, const ReadOptions& options, const Image* mask) {
  const PixelType type = image.type();
  if (type == PixelType::u8 || options.range == InputRange::full) return full_scale(type, {});
  if (options.black < options.white) return {options.black, options.white};
  const bool is_masked = mask != nullptr && mask->width() == image.width() && mask->height() == image.height();
  const auto used = values_used(image.view(), no_data, is_masked ? &mask->view() : nullptr);
  if (!used && type == PixelType::f32) throw DecodeError("all its samples are missing, infinite or not numbers");
  return full_scale(type, used.value_or(ValueRange{}));
}

void warn_of_unused_range(const Image& image, const std::string& name, const ReadOptions& options) {
  const bool is_unused = image.type() == PixelType::u8 && options.black < options.white;
  if (!is_unused || !options.warning.of_range || !options.warning.tell) return;
  options.warning.tell("'" + name + "': its 8 bits are taken as they are; the range " + range_text(options) +
                       " is for 16 bits and floats");
}

void require_unit_range(const Image& image) {
  try {
    check_image(image.view());
  } catch (const Error&) {
    throw DecodeError("its samples must lie between 0 and 1 where the range is the full one");
  }
}

}  // namespace
}  // namespace io

namespace {

Photograph decode_stored(std::span<const std::byte> bytes, const std::string& name, const ReadOptions& options,
                         const Image* mask) {
  validate(options);
  try {
    io::Decoded decoded = io::codec_of(bytes).decode(bytes, options.max_pixels);
    if (!decoded.lack.empty() && options.warning.tell) options.warning.tell("'" + name + "': " + decoded.lack);
    const auto focal_length = io::focal_length_of(decoded.exif, {decoded.image.width(), decoded.image.height()});
    const int orientation = options.apply_exif_rotation ? decoded.exif.orientation : 1;
    Image image = io::turned_upright(std::move(decoded.image), orientation);
    io::warn_of_unused_range(image, name, options);
    const ValueRange scale = io::scale_of(image, decoded.no_data, options, mask);
    if (image.type() == PixelType::f32 && options.range == InputRange::full) io::require_unit_range(image);
    return {std::move(image), focal_length, std::move(decoded.exif), scale, decoded.no_data};
  } catch (const io::DecodeError& error) {
    io::refuse(name, error.what());
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "cannot read '" + name + "': not enough memory for its pixels");
  } catch (const Error& error) {  // of Image, which tells how much memory it takes
    throw Error(error.code(), "cannot read '" + name + "': " + error.what());
  } catch (const std::system_error& error) {  // libde265 cannot start its threads
    throw Error(ErrorCode::out_of_memory, "cannot read '" + name + "': " + error.what());
  }
}

}  // namespace

std::string_view image_format(std::span<const std::byte> begin) {
  const std::optional<io::Codec> codec = io::find_codec(begin);
  return codec ? codec->name : std::string_view();
}

Photograph decode_photograph(std::span<const std::byte> bytes, const std::string& name, const ReadOptions& options,
                             const Image* mask) {
  Photograph photograph = decode_stored(bytes, name, options, mask);
  map_to_full_scale(photograph.image, photograph.scale);
  return photograph;
}

Photograph read_stored(const std::filesystem::path& file, const ReadOptions& options, const Image* mask) {
  return decode_stored(io::read_bytes(file), file.string(), options, mask);
}

Photograph read_photograph(const std::filesystem::path& file, const ReadOptions& options, const Image* mask) {
  return decode_photograph(io::read_bytes(file), file.string(), options, mask);
}

CameraFacts read_camera_facts(const std::filesystem::path& file, const ReadOptions& options) {
  const std::vector<std::byte> bytes = io::read_bytes(file);
  if (!io::is_jpeg(bytes)) return decode_photograph(bytes, file.string(), options).camera;
  validate(options);
  try {
    return io::exif_facts(io::jpeg_metadata(bytes).exif);
  } catch (const io::DecodeError& error) {
    io::refuse(file.string(), error.what());
  }
}

ImageMetadata decode_metadata(std::span<const std::byte> bytes, const std::string& name) try {
  ImageMetadata metadata = io::codec_of(bytes).metadata(bytes);
  if (io::colours_of_profile(metadata.icc) == io::ProfileColours::other) metadata.icc.clear();
  return metadata;
} catch (const io::DecodeError& error) {
  io::refuse(name, error.what());
} catch (const std::bad_alloc&) {
  throw Error(ErrorCode::out_of_memory, "cannot read '" + name + "': not enough memory for its metadata");
}

ImageMetadata read_metadata(const std::filesystem::path& file) {
  return decode_metadata(io::read_bytes(file), file.string());
}

Image decode_image(std::span<const std::byte> bytes, const std::string& name, const ReadOptions& options,
                   const Image* mask) {
  return decode_photograph(bytes, name, options, mask).image;
}

Image read_image(const std::filesystem::path& file, const ReadOptions& options, const Image* mask) {
  return read_photograph(file, options, mask).image;
}

}  // namespace octavo
