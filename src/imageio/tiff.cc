// TIFF 6.0 and BigTIFF with libtiff, the first page. Grey and RGB of 8 or 16 bits, float and double are read directly,
// from strips or tiles, interleaved or in one plane per channel. Everything else (palettes, ink, YCbCr, 1, 2 and 4
// bits) uses libtiff's own conversion to 8-bit colour.

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include <tiffio.h>

#include "imageio/decoders.h"
#include "imageio/unit_range.h"

namespace octavo::imageio {
namespace {

/// A file in memory, with the interface that libtiff needs, and its first error message.
struct Source {
  Bytes file;
  std::uint64_t position = 0;
  std::string complaint;
};

Source& source_of(thandle_t handle) { return *static_cast<Source*>(handle); }

tmsize_t on_read(thandle_t handle, void* out, tmsize_t size) {
  Source& source = source_of(handle);
  const std::uint64_t left = source.file.size() - std::min<std::uint64_t>(source.position, source.file.size());
  const std::uint64_t count = std::min<std::uint64_t>(left, static_cast<std::uint64_t>(std::max<tmsize_t>(size, 0)));
  if (count > 0) std::memcpy(out, source.file.data() + source.position, count);
  source.position += count;
  return static_cast<tmsize_t>(count);
}

tmsize_t on_write(thandle_t, void*, tmsize_t) { return 0; }

toff_t on_seek(thandle_t handle, toff_t offset, int whence) {
  Source& source = source_of(handle);
  const std::uint64_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? source.position : source.file.size();
  return source.position = base + offset;
}

int on_close(thandle_t) { return 0; }

toff_t on_size(thandle_t handle) { return source_of(handle).file.size(); }

int on_error(TIFF*, void* user, const char*, const char* format, std::va_list arguments) {
  auto& source = *static_cast<Source*>(user);
  if (!source.complaint.empty()) return 1;
  std::array<char, 256> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  source.complaint = text.data();
  while (!source.complaint.empty() && source.complaint.back() == '.') source.complaint.pop_back();
  return 1;
}

int on_warning(TIFF*, void*, const char*, const char*, std::va_list) { return 1; }

class TiffReader {
 public:
  TiffReader(Bytes file, std::uint64_t max_pixels) : source_{file, 0, {}} {
    const std::unique_ptr<TIFFOpenOptions, void (*)(TIFFOpenOptions*)> options(TIFFOpenOptionsAlloc(),
                                                                               TIFFOpenOptionsFree);
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), on_error, &source_);
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), on_warning, nullptr);
    // Damaged files may request any amount of memory, so it is limited.
    TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), tmsize_t{1} << 32);
    // "m": no memory map, since there is no file to map.
    tiff_.reset(TIFFClientOpenExt("TIFF", "rm", &source_, on_read, on_write, on_seek, on_close, on_size, nullptr,
                                  nullptr, options.get()));
    if (!tiff_) fail();
    width_ = tag<std::uint32_t>(TIFFTAG_IMAGEWIDTH);
    height_ = tag<std::uint32_t>(TIFFTAG_IMAGELENGTH);
    channels_ = tag<std::uint16_t>(TIFFTAG_SAMPLESPERPIXEL);
    bits_ = tag<std::uint16_t>(TIFFTAG_BITSPERSAMPLE);
    format_ = tag<std::uint16_t>(TIFFTAG_SAMPLEFORMAT);
    photometric_ = tag<std::uint16_t>(TIFFTAG_PHOTOMETRIC);
    check_size(width_, height_, max_pixels);
  }

  Decoded read() {
    const int orientation = tag<std::uint16_t>(TIFFTAG_ORIENTATION);
    Image image = is_plain() ? read_plain() : read_converted();
    if (!source_.complaint.empty()) fail();
    return {std::move(image), orientation};
  }

 private:
  struct Close {
    void operator()(TIFF* tiff) const { TIFFClose(tiff); }
  };

  template <class T>
  T tag(std::uint32_t name) {
    T value = 0;
    TIFFGetFieldDefaulted(tiff_.get(), name, &value);
    return value;
  }

  [[noreturn]] void fail() {
    throw DecodeError("the TIFF data are truncated, damaged or of a rare kind" +
                      (source_.complaint.empty() ? "" : ": " + source_.complaint));
  }

  [[nodiscard]] bool is_integer() const { return format_ == SAMPLEFORMAT_UINT && (bits_ == 8 || bits_ == 16); }
  [[nodiscard]] bool is_float() const { return format_ == SAMPLEFORMAT_IEEEFP && (bits_ == 32 || bits_ == 64); }

  [[nodiscard]] bool is_plain() const {
    const bool grey = photometric_ == PHOTOMETRIC_MINISBLACK && (channels_ == 1 || channels_ == 2);
    const bool inverted = photometric_ == PHOTOMETRIC_MINISWHITE && channels_ == 1 && is_integer();
    const bool colour = photometric_ == PHOTOMETRIC_RGB && (channels_ == 3 || channels_ == 4);
    return (grey || inverted || colour) && (is_integer() || is_float());
  }

  Image read_plain() {
    const PixelType type = is_float() ? PixelType::f32 : bits_ == 16 ? PixelType::u16 : PixelType::u8;
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
    if (is_float()) map_to_unit_range(image);
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
    // A tile may extend beyond the picture's edge, but one much larger than the file or the picture is damaged.
    if (tile_width == 0 || tile_height == 0 || tile_size > std::uint64_t{1} << 31) fail();
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
    if (bits_ == 64) {
      for (std::size_t i = 0; i < count; ++i, in += sizeof(double), out += step) {
        double wide = 0;
        std::memcpy(&wide, in, sizeof wide);
        const auto narrow = static_cast<float>(wide);
        std::memcpy(out, &narrow, sizeof narrow);
      }
    } else if (planes == 1) {
      std::memcpy(out, in, count * sample);
    } else {
      for (std::size_t i = 0; i < count; ++i, in += sample, out += step) std::memcpy(out, in, sample);
    }
  }

  static void invert(Image& image) {
    const std::size_t bytes = static_cast<std::size_t>(image.width()) * bytes_of(image.type());
    for (int y = 0; y < image.height(); ++y) {
      std::transform(image.row(y), image.row(y) + bytes, image.row(y), [](std::byte b) { return ~b; });
    }
  }

  Image read_converted() {
    std::array<char, 1024> why{};
    if (!TIFFRGBAImageOK(tiff_.get(), why.data()))
      throw DecodeError("it is a TIFF of a kind that is not read: " + std::string(why.data()));
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

  Source source_;
  std::unique_ptr<TIFF, Close> tiff_;
  std::uint32_t width_ = 0, height_ = 0;
  std::uint16_t channels_ = 0, bits_ = 0, format_ = 0, photometric_ = 0;
};

}  // namespace

Decoded decode_tiff(Bytes file, std::uint64_t max_pixels) { return TiffReader(file, max_pixels).read(); }

}  // namespace octavo::imageio
