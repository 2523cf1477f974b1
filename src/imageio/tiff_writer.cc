// TIFF 6.0 with libtiff, in strips of about 8 KiB, as the standard recommends. Whole numbers are compressed by LZW with
// horizontal differences. Floats are not compressed: LZW hardly shortens them.
//
// The fourth channel is not declared as alpha that is not multiplied into the colours (ExtraSamples), because libtiff's
// own conversion, which many programs read 8 bits with, would then multiply the colours by it.

#include <tiffio.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "imageio/byte_sink.h"
#include "imageio/decoders.h"
#include "imageio/encoders.h"

namespace octavo::imageio {
namespace {

/// A file in memory, with the interface that libtiff needs, and its first error message.
struct Target {
  ByteSink sink;
  std::uint64_t position = 0;
  std::string complaint;
};

Target& target_of(thandle_t handle) { return *static_cast<Target*>(handle); }

tmsize_t on_read(thandle_t handle, void* out, tmsize_t size) {
  Target& target = target_of(handle);
  const std::uint64_t length = target.sink.bytes.size();
  const std::uint64_t left = length - std::min(target.position, length);
  const std::uint64_t count = std::min<std::uint64_t>(left, static_cast<std::uint64_t>(std::max<tmsize_t>(size, 0)));
  if (count > 0) std::memcpy(out, target.sink.bytes.data() + target.position, count);
  target.position += count;
  return static_cast<tmsize_t>(count);
}

tmsize_t on_write(thandle_t handle, void* data, tmsize_t size) {
  Target& target = target_of(handle);
  if (!target.sink.put(target.position, data, static_cast<std::size_t>(size))) return 0;
  target.position += static_cast<std::uint64_t>(size);
  return size;
}

toff_t on_seek(thandle_t handle, toff_t offset, int whence) {
  Target& target = target_of(handle);
  const std::uint64_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? target.position : target.sink.bytes.size();
  return target.position = base + offset;
}

int on_close(thandle_t) { return 0; }

toff_t on_size(thandle_t handle) { return target_of(handle).sink.bytes.size(); }

int on_error(TIFF*, void* user, const char*, const char* format, std::va_list arguments) {
  auto& target = *static_cast<Target*>(user);
  if (!target.complaint.empty()) return 1;
  std::array<char, 256> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  target.complaint = text.data();
  return 1;
}

int on_warning(TIFF*, void*, const char*, const char*, std::va_list) { return 1; }

struct Close {
  void operator()(TIFF* tiff) const { TIFFClose(tiff); }
};

using File = std::unique_ptr<TIFF, Close>;

File open(Target& target) {
  const std::unique_ptr<TIFFOpenOptions, void (*)(TIFFOpenOptions*)> options(TIFFOpenOptionsAlloc(),
                                                                             TIFFOpenOptionsFree);
  if (!options) throw std::bad_alloc();
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), on_error, &target);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), on_warning, nullptr);
  return File(TIFFClientOpenExt("TIFF", "w", &target, on_read, on_write, on_seek, on_close, on_size, nullptr, nullptr,
                                options.get()));
}

/// Whether libtiff takes the picture's header and rows.
bool write(TIFF* tiff, const ImageView& image) {
  const std::size_t row_size =
      static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.channels) * bytes_of(image.type);
  const auto rows_per_strip = std::clamp<std::size_t>(8192 / row_size, 1, static_cast<std::size_t>(image.height));
  const bool is_float = image.type == PixelType::f32;
  const auto set = [&](std::uint32_t tag, auto value) { return TIFFSetField(tiff, tag, value) != 0; };
  const bool has_header = set(TIFFTAG_IMAGEWIDTH, image.width) && set(TIFFTAG_IMAGELENGTH, image.height) &&
                          set(TIFFTAG_BITSPERSAMPLE, static_cast<int>(8 * bytes_of(image.type))) &&
                          set(TIFFTAG_SAMPLEFORMAT, is_float ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT) &&
                          set(TIFFTAG_SAMPLESPERPIXEL, image.channels) &&
                          set(TIFFTAG_PHOTOMETRIC, image.channels == 1 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB) &&
                          set(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
                          set(TIFFTAG_ROWSPERSTRIP, static_cast<std::uint32_t>(rows_per_strip)) &&
                          set(TIFFTAG_COMPRESSION, is_float ? COMPRESSION_NONE : COMPRESSION_LZW);
  if (!has_header || (!is_float && !set(TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL))) return false;
  std::vector<std::byte> row(row_size);  // libtiff makes the differences in place
  for (int y = 0; y < image.height; ++y) {
    std::memcpy(row.data(), image.row(y), row_size);
    if (TIFFWriteScanline(tiff, row.data(), static_cast<std::uint32_t>(y), 0) < 0) return false;
  }
  return true;
}

}  // namespace

std::vector<std::byte> encode_tiff(const ImageView& image) {
  Target target;
  File file = open(target);
  const bool is_written = file && write(file.get(), image);
  file.reset();  // writes the last strip and the directory, which can fail too
  if (is_written && target.complaint.empty()) return std::move(target.sink.bytes);
  if (target.sink.is_out_of_memory || means_memory_shortage(target.complaint)) throw std::bad_alloc();
  throw EncodeError("libtiff: " + target.complaint);
}

}  // namespace octavo::imageio
