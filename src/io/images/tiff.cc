// TIFF 6.0 and BigTIFF with libtiff, the first page that is no thumbnail. Grey and RGB of 8, 16 or 32 bits with or
// without sign, half, float and double are read directly, from strips or tiles, interleaved or in one plane per
// channel. Everything else (palettes, ink, YCbCr, 1, 2 and 4 bits) uses libtiff's own conversion to 8-bit colour.
//
// A TIFF is a net of offsets, in which a short file can describe any amount of work. So the strips or tiles are looked
// at before the first of them is unpacked: each has data, these can hold the strip, and they are not counted many
// times.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "io/exif/tiff_exif.h"
#include "io/images/decoders.h"
#include "io/images/half_float.h"
#include "io/images/tiff_client.h"

namespace octavo::io {
namespace {

/// A file in memory that libtiff reads.
struct Source {
  Bytes file;
  std::uint64_t position = 0;

  [[nodiscard]] Bytes bytes() const { return file; }
  static tmsize_t write(const void*, tmsize_t) { return 0; }
};

/// The most bytes that a byte of this compression stands for; 0 if there is no such bound.
std::uint64_t most_unpacked(std::uint16_t compression) {
  switch (compression) {
    case COMPRESSION_NONE:
      return 1;
    case COMPRESSION_PACKBITS:
      return 64;  // two bytes repeat one up to 128 times
    case COMPRESSION_DEFLATE:
    case COMPRESSION_ADOBE_DEFLATE:
      return 1032;  // zlib's technical notes
    case COMPRESSION_LZW:
      return 4096;  // a code, of 9 bits or more, is a string of less than 4096 bytes
    default:
      return 0;
  }
}

class TiffReader {
 public:
  TiffReader(Bytes file, std::uint64_t max_pixels) : source_{file}, max_pixels_(max_pixels) {
    const TiffOptions options = tiff_options(complaint_);
    // Damaged files may request any amount of memory, so it is limited.
    constexpr std::uint64_t for_tags = 1 << 20;
    TIFFOpenOptionsSetMaxSingleMemAlloc(
        options.get(), static_cast<tmsize_t>(most_bytes_per_pixel * max_pixels + 16 * file.size() + for_tags));
    // "m": no memory map, since there is no file to map.
    tiff_ = open_tiff(source_, "rm", options);
    if (!tiff_) fail();
    skip_thumbnails();
    width_ = tag<std::uint32_t>(TIFFTAG_IMAGEWIDTH);
    height_ = tag<std::uint32_t>(TIFFTAG_IMAGELENGTH);
    channels_ = tag<std::uint16_t>(TIFFTAG_SAMPLESPERPIXEL);
    bits_ = tag<std::uint16_t>(TIFFTAG_BITSPERSAMPLE);
    format_ = tag<std::uint16_t>(TIFFTAG_SAMPLEFORMAT);
    photometric_ = tag<std::uint16_t>(TIFFTAG_PHOTOMETRIC);
    compression_ = tag<std::uint16_t>(TIFFTAG_COMPRESSION);
  }

  ImageMetadata read_metadata() {
    std::uint32_t size = 0;
    const std::byte* profile = nullptr;
    if (TIFFGetField(tiff_.get(), TIFFTAG_ICCPROFILE, &size, &profile) != 1) size = 0;
    ImageMetadata metadata{.icc = {profile, profile + size}, .exif = exif_block_of_tiff(source_.file)};
    const char* text = nullptr;
    if (TIFFGetField(tiff_.get(), TIFFTAG_XMLPACKET, &size, &text) == 1) metadata.xmp.assign(text, size);
    return metadata;
  }

  Decoded read() {
    check_kind();
    check_work();
    CameraFacts facts = exif_facts(exif_block_of_tiff(source_.file));
    facts.orientation = tag<std::uint16_t>(TIFFTAG_ORIENTATION);  // of this page
    Image image = is_plain() ? read_plain() : read_converted();
    if (!complaint_.empty()) fail();
    return {std::move(image), std::move(facts), no_data()};
  }

 private:
  /// GDAL's tag 42113: a number in letters.
  std::optional<double> no_data() {
    constexpr std::uint32_t gdal_no_data = 42113;
    std::uint32_t count = 0;
    const char* text = nullptr;
    if (TIFFGetField(tiff_.get(), gdal_no_data, &count, &text) != 1 || text == nullptr) return std::nullopt;
    double number = 0;
    const auto [end, error] = std::from_chars(text, text + count, number);
    const bool is_float = std::abs(number) <= std::numeric_limits<float>::max();
    return error == std::errc() && end != text && is_float ? std::optional(number) : std::nullopt;
  }

  template <class T>
  T tag(std::uint32_t name) {
    T value = 0;
    TIFFGetFieldDefaulted(tiff_.get(), name, &value);
    return value;
  }

  /// Goes to the first page that is not marked as a reduced version of another one. If all are, the first is read.
  void skip_thumbnails() {
    constexpr int most = 16;
    for (int page = 0; page < most; ++page) {
      std::uint32_t kind = 0;
      TIFFGetField(tiff_.get(), TIFFTAG_SUBFILETYPE, &kind);
      if ((kind & FILETYPE_REDUCEDIMAGE) == 0) return;
      if (TIFFReadDirectory(tiff_.get()) == 0) break;
    }
    complaint_.clear();
    if (TIFFSetDirectory(tiff_.get(), 0) == 0) fail();
  }

  [[noreturn]] void refuse_kind(const std::string& why) {
    throw DecodeError("it is a TIFF of a kind that is not read: " + why);
  }

  void check_kind() {
    if (format_ == SAMPLEFORMAT_COMPLEXINT || format_ == SAMPLEFORMAT_COMPLEXIEEEFP) {
      refuse_kind("its samples are complex numbers");
    }
    if (format_ == SAMPLEFORMAT_VOID) refuse_kind("it does not say what kind of numbers its samples are");
    // Its data state a size of their own, for which libtiff takes memory.
    if (compression_ == COMPRESSION_JBIG) refuse_kind("it is compressed by JBIG");
    if (is_plain()) return;
    if (format_ == SAMPLEFORMAT_INT) refuse_kind(std::to_string(bits_) + "-bit samples with a sign");
    if (format_ == SAMPLEFORMAT_IEEEFP) refuse_kind(std::to_string(bits_) + "-bit floats");
  }

  /// [bit] Throws DecodeError if the image is too large.
  std::uint64_t checked_bits() {
    check_size(width_, height_, max_pixels_);
    const std::uint64_t pixels = std::uint64_t{width_} * height_;
    const std::uint64_t pixel_bits = std::max<std::uint64_t>(std::uint64_t{channels_} * bits_, 1);
    if (pixels > 8 * most_bytes_per_pixel * max_pixels_ / pixel_bits) {
      throw DecodeError("it is " + std::to_string(width_) + " × " + std::to_string(height_) + " pixels of " +
                        std::to_string(channels_) + " channels, more than `max_pixels`, " +
                        std::to_string(max_pixels_) + ", allows");
    }
    return pixels * pixel_bits;
  }

  /// Throws DecodeError if the image is too large, or if its strips or tiles cannot be read in reasonable time.
  void check_work() {
    const std::uint64_t bits = checked_bits();
    const bool tiled = TIFFIsTiled(tiff_.get()) != 0;
    const std::uint32_t count = tiled ? TIFFNumberOfTiles(tiff_.get()) : TIFFNumberOfStrips(tiff_.get());
    const std::uint64_t part_size = tiled ? TIFFTileSize64(tiff_.get()) : 0;
    if (count == 0) fail();
    // Tiles reach beyond the edge of the image. What they hold there is unpacked too.
    if (tiled && (part_size == 0 || part_size > most_bytes_per_pixel * max_pixels_ / count)) {
      throw DecodeError("its tiles hold more pixels than `max_pixels`, " + std::to_string(max_pixels_) + ", allows");
    }
    const std::uint64_t ratio = most_unpacked(compression_);
    const std::uint64_t unpacked = tiled ? part_size * count : bits / 8;
    // Several strips may share their data, but encoders that do so save space: it is no reason to read a file many
    // times.
    std::uint64_t may_read = source_.file.size() + 4 * unpacked;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint64_t offset = TIFFGetStrileOffset(tiff_.get(), i), size = TIFFGetStrileByteCount(tiff_.get(), i);
      // Offsets that the file lacks are 0, where the header is.
      if (offset == 0 || size == 0) {
        throw DecodeError("the TIFF data are truncated or damaged: " + std::string(tiled ? "tile " : "strip ") +
                          std::to_string(i + 1) + " of " + std::to_string(count) + " is missing");
      }
      if (size > may_read) fail();
      may_read -= size;
      // libtiff replaces a size that cannot be right by that of the pixels, which the file need not hold.
      const std::uint64_t held =
          std::min(size, source_.file.size() - std::min<std::uint64_t>(offset, source_.file.size()));
      if (ratio != 0 && strip_or_tile_size(i, tiled) / ratio > held) {
        throw DecodeError("the TIFF data are truncated");
      }
    }
  }

  /// [byte] unpacked. The last strip of a plane may be shorter than the others.
  std::uint64_t strip_or_tile_size(std::uint32_t i, bool tiled) {
    if (tiled) return TIFFTileSize64(tiff_.get());
    const auto rows = std::clamp<std::uint32_t>(tag<std::uint32_t>(TIFFTAG_ROWSPERSTRIP), 1, height_);
    const std::uint32_t per_plane = (height_ - 1) / rows + 1;
    return TIFFVStripSize64(tiff_.get(), std::min(rows, height_ - i % per_plane * rows));
  }

  [[noreturn]] void fail() {
    if (means_memory_shortage(complaint_)) throw std::bad_alloc();
    throw DecodeError("the TIFF data are truncated, damaged or of a rare kind" +
                      (complaint_.empty() ? "" : ": " + complaint_));
  }

  [[nodiscard]] bool is_integer() const { return format_ == SAMPLEFORMAT_UINT && (bits_ == 8 || bits_ == 16); }
  [[nodiscard]] bool is_signed() const { return format_ == SAMPLEFORMAT_INT && (bits_ == 8 || bits_ == 16); }
  [[nodiscard]] bool is_wide() const {
    return bits_ == 32 && (format_ == SAMPLEFORMAT_UINT || format_ == SAMPLEFORMAT_INT);
  }
  [[nodiscard]] bool is_float() const {
    return format_ == SAMPLEFORMAT_IEEEFP && (bits_ == 16 || bits_ == 32 || bits_ == 64);
  }

  [[nodiscard]] bool is_plain() const {
    const bool grey = photometric_ == PHOTOMETRIC_MINISBLACK && (channels_ == 1 || channels_ == 2);
    const bool inverted = photometric_ == PHOTOMETRIC_MINISWHITE && channels_ == 1 && is_integer();
    const bool colour = photometric_ == PHOTOMETRIC_RGB && (channels_ == 3 || channels_ == 4);
    return (grey || inverted || colour) && (is_integer() || is_signed() || is_wide() || is_float());
  }

  Image read_plain() {
    const PixelType type = !is_integer() ? PixelType::f32 : bits_ == 16 ? PixelType::u16 : PixelType::u8;
    Image image(static_cast<int>(width_), static_cast<int>(height_), channels_, type);
    const bool separate = tag<std::uint16_t>(TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE;
    const int planes = separate ? channels_ : 1;
    for (int plane = 0; plane < planes; ++plane) {
      if (TIFFIsTiled(tiff_.get())) {
        read_tiles(image, plane, planes);
      } else {
        read_rows(image, plane, planes);
      }
    }
    if (photometric_ == PHOTOMETRIC_MINISWHITE) invert(image);
    return image;
  }

  void read_rows(Image& image, int plane, int planes) {
    const std::uint64_t row_size = TIFFScanlineSize64(tiff_.get());
    if (row_size < samples_per_pixel(planes) * width_ * (bits_ / 8)) fail();
    const auto row = std::make_unique_for_overwrite<std::byte[]>(row_size);
    for (std::uint32_t y = 0; y < height_; ++y) {
      if (TIFFReadScanline(tiff_.get(), row.get(), y, static_cast<std::uint16_t>(plane)) < 0) fail();
      place(image, row.get(), 0, y, width_, plane, planes);
    }
  }

  void read_tiles(Image& image, int plane, int planes) {
    const auto tile_width = tag<std::uint32_t>(TIFFTAG_TILEWIDTH);
    const auto tile_height = tag<std::uint32_t>(TIFFTAG_TILELENGTH);
    const auto row_size = static_cast<std::size_t>(TIFFTileRowSize64(tiff_.get()));
    const auto tile_size = TIFFTileSize64(tiff_.get());
    if (tile_width == 0 || tile_height == 0) fail();
    if (row_size < samples_per_pixel(planes) * tile_width * (bits_ / 8)) fail();
    const auto tile = std::make_unique_for_overwrite<std::byte[]>(tile_size);
    for (std::uint32_t top = 0; top < height_; top += tile_height) {
      for (std::uint32_t left = 0; left < width_; left += tile_width) {
        if (TIFFReadTile(tiff_.get(), tile.get(), left, top, 0, static_cast<std::uint16_t>(plane)) < 0) fail();
        const std::uint32_t columns = std::min(tile_width, width_ - left);
        for (std::uint32_t y = 0; y < std::min(tile_height, height_ - top); ++y) {
          place(image, tile.get() + y * row_size, left, top + y, columns, plane, planes);
        }
      }
    }
  }

  [[nodiscard]] std::size_t samples_per_pixel(int planes) const { return planes > 1 ? 1 : channels_; }

  /// Copies `columns` stored pixels to their places. Those of a plane go into every channels_-th sample.
  void place(Image& image, const std::byte* in, std::uint32_t x, std::uint32_t y, std::uint32_t columns, int plane,
             int planes) const {
    const std::size_t sample = bytes_of(image.type());
    const std::size_t count = columns * samples_per_pixel(planes);
    const std::size_t step = planes > 1 ? channels_ * sample : sample;
    std::byte* out =
        image.row(static_cast<int>(y)) + (std::size_t{x} * channels_ + static_cast<std::size_t>(plane)) * sample;
    if (const auto convert = to_float()) {
      for (std::size_t i = 0; i < count; ++i, in += bits_ / 8, out += step) {
        const float value = convert(in);
        std::memcpy(out, &value, sizeof value);
      }
    } else if (planes == 1) {
      std::memcpy(out, in, count * sample);
    } else {
      for (std::size_t i = 0; i < count; ++i, in += sample, out += step) std::memcpy(out, in, sample);
    }
  }

  /// What makes a float of a stored sample; null for samples that are copied.
  [[nodiscard]] float (*to_float() const)(const std::byte*) {
    if (is_float() && bits_ == 64) return float_of_double;
    if (is_float() && bits_ == 16) return [](const std::byte* in) { return static_cast<float>(half_at(in)); };
    if (is_signed() && bits_ == 8) return float_of<std::int8_t>;
    if (is_signed()) return float_of<std::int16_t>;
    if (is_wide()) return format_ == SAMPLEFORMAT_INT ? float_of<std::int32_t> : float_of<std::uint32_t>;
    return nullptr;
  }

  template <class Number>
  static float float_of(const std::byte* in) {
    Number number = 0;
    std::memcpy(&number, in, sizeof number);
    return static_cast<float>(number);
  }

  static float float_of_double(const std::byte* in) {
    double wide = 0;
    std::memcpy(&wide, in, sizeof wide);
    if (std::isfinite(wide) && std::abs(wide) > std::numeric_limits<float>::max()) {
      throw DecodeError("it holds a sample beyond ±3.4e38, the range of float");
    }
    return static_cast<float>(wide);
  }

  static void invert(Image& image) {
    const std::size_t bytes = static_cast<std::size_t>(image.width()) * bytes_of(image.type());
    for (int y = 0; y < image.height(); ++y) {
      std::transform(image.row(y), image.row(y) + bytes, image.row(y), [](std::byte b) { return ~b; });
    }
  }

  Image read_converted() {
    std::array<char, 1024> why{};
    if (!TIFFRGBAImageOK(tiff_.get(), why.data())) refuse_kind(why.data());
    const auto pixels = std::make_unique_for_overwrite<std::uint32_t[]>(std::size_t{width_} * height_);
    // If the request names the orientation of the file, libtiff does not move the pixels.
    const int stored = tag<std::uint16_t>(TIFFTAG_ORIENTATION);
    if (!TIFFReadRGBAImageOriented(tiff_.get(), width_, height_, pixels.get(), stored, 1)) fail();
    const bool grey = photometric_ == PHOTOMETRIC_MINISBLACK || photometric_ == PHOTOMETRIC_MINISWHITE;
    Image image(static_cast<int>(width_), static_cast<int>(height_), grey ? 1 : 3, PixelType::u8);
    const std::uint32_t* in = pixels.get();
    for (int y = 0; y < image.height(); ++y) {
      std::byte* out = image.row(y);
      for (int x = 0; x < image.width(); ++x, ++in) {
        *out++ = static_cast<std::byte>(TIFFGetR(*in));
        if (grey) continue;
        *out++ = static_cast<std::byte>(TIFFGetG(*in));
        *out++ = static_cast<std::byte>(TIFFGetB(*in));
      }
    }
    return image;
  }

  /// Four channels of double.
  static constexpr std::uint64_t most_bytes_per_pixel = 32;

  Source source_;
  std::string complaint_;  ///< libtiff's first error
  std::uint64_t max_pixels_;
  TiffHandle tiff_;
  std::uint32_t width_ = 0, height_ = 0;
  std::uint16_t channels_ = 0, bits_ = 0, format_ = 0, photometric_ = 0, compression_ = 0;
};

}  // namespace

Decoded decode_tiff(Bytes file, std::uint64_t max_pixels) { return TiffReader(file, max_pixels).read(); }

ImageMetadata tiff_metadata(Bytes file) { return TiffReader(file, 1).read_metadata(); }

}  // namespace octavo::io
