// TIFF 6.0, or BigTIFF from 2 GiB of pixels on, with libtiff, in strips of about 8 KiB, as the standard recommends.
// Whole numbers are compressed by LZW with horizontal differences. Floats are not compressed: LZW hardly shortens them.
//
// The fourth channel is not declared as alpha that is not multiplied into the colours (ExtraSamples), because libtiff's
// own conversion, which many programs read 8 bits with, would then multiply the colours by it.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <utility>

#include "io/images/byte_sink.h"
#include "io/images/decode_error.h"
#include "io/images/encoders.h"
#include "io/images/tiff_client.h"
#include "io/images/tiff_metadata.h"

namespace octavo::io {
namespace {

/// A file in memory that libtiff writes.
struct Target {
  ByteSink sink;
  std::uint64_t position = 0;

  [[nodiscard]] std::span<const std::byte> bytes() const { return sink.bytes; }
  tmsize_t write(const void* data, tmsize_t size) {
    if (!sink.put(position, data, static_cast<std::size_t>(size))) return 0;
    position += static_cast<std::uint64_t>(size);
    return size;
  }
};

std::size_t row_size_of(const ImageView& image) {
  return static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.channels) * bytes_of(image.type);
}

/// Whether libtiff takes the image's header and rows.
bool write(TIFF* tiff, const ImageView& image, const ImageMetadata& metadata) {
  const std::size_t row_size = row_size_of(image);
  const auto rows_per_strip = std::clamp<std::size_t>(8192 / row_size, 1, static_cast<std::size_t>(image.height));
  const bool is_float = image.type == PixelType::f32;
  const auto set = [&](const auto& field) { return TIFFSetField(tiff, field.first, field.second) != 0; };
  // libtiff reads each of these values, of 16 and of 32 bits, from an int.
  const std::array<std::pair<std::uint32_t, int>, 9> header{
      {{TIFFTAG_IMAGEWIDTH, image.width},
       {TIFFTAG_IMAGELENGTH, image.height},
       {TIFFTAG_BITSPERSAMPLE, static_cast<int>(8 * bytes_of(image.type))},
       {TIFFTAG_SAMPLEFORMAT, is_float ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT},
       {TIFFTAG_SAMPLESPERPIXEL, image.channels},
       {TIFFTAG_PHOTOMETRIC, image.channels == 1 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB},
       {TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG},
       {TIFFTAG_ROWSPERSTRIP, static_cast<int>(rows_per_strip)},
       {TIFFTAG_COMPRESSION, is_float ? COMPRESSION_NONE : COMPRESSION_LZW}}};
  if (!std::ranges::all_of(header, set)) return false;
  if (!is_float && !set(std::pair(TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL))) return false;
  if (!set_tiff_metadata(tiff, metadata)) return false;
  std::vector<std::byte> row(row_size);  // libtiff makes the differences in place
  for (int y = 0; y < image.height; ++y) {
    std::memcpy(row.data(), image.row(y), row_size);
    if (TIFFWriteScanline(tiff, row.data(), static_cast<std::uint32_t>(y), 0) < 0) return false;
  }
  return true;
}

}  // namespace

std::vector<std::byte> encode_tiff(const ImageView& image, const ImageMetadata& metadata) {
  Target target;
  std::string complaint;
  const char* const mode = tiff_write_mode(row_size_of(image) * static_cast<std::size_t>(image.height));
  TiffHandle file = open_tiff(target, mode, tiff_options(complaint));
  const bool is_written = file && write(file.get(), image, metadata);
  file.reset();  // writes the last strip and the directory, which can fail too
  if (is_written && complaint.empty()) return std::move(target.sink.bytes);
  if (target.sink.is_out_of_memory || means_memory_shortage(complaint)) throw std::bad_alloc();
  throw EncodeError("libtiff: " + complaint);
}

}  // namespace octavo::io
