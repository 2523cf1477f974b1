// PNG with libpng: palettes become colours, transparent colours an alpha channel. 1, 2 and 4 bits become 8, and 16 bits
// stay. The picture is complete only if its end marker has been read.

#include <bit>
#include <csetjmp>
#include <cstring>
#include <string>
#include <vector>

#include <png.h>

#include "imageio/decoders.h"
#include "imageio/exif.h"

namespace octavo::imageio {
namespace {

class PngReader {
 public:
  PngReader(Bytes file, std::uint64_t max_pixels) : rest_(file), max_pixels_(max_pixels) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, on_error, on_warning);
    info_ = png_ ? png_create_info_struct(png_) : nullptr;
    if (!info_) {
      png_destroy_read_struct(&png_, nullptr, nullptr);
      throw std::bad_alloc();
    }
  }
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  Decoded read() {
    guarded([&] {
      png_set_read_fn(png_, this, on_read);
      png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // check_size limits the size
      png_read_info(png_, info_);
      png_set_expand(png_);
      if (std::endian::native == std::endian::little) png_set_swap(png_);
      png_set_interlace_handling(png_);
      png_read_update_info(png_, info_);
    });
    const png_uint_32 width = png_get_image_width(png_, info_);
    const png_uint_32 height = png_get_image_height(png_, info_);
    check_size(width, height, max_pixels_);
    Image image(static_cast<int>(width), static_cast<int>(height), png_get_channels(png_, info_),
                png_get_bit_depth(png_, info_) == 16 ? PixelType::u16 : PixelType::u8);
    std::vector<png_bytep> rows(height);
    for (png_uint_32 y = 0; y < height; ++y) rows[y] = reinterpret_cast<png_bytep>(image.row(static_cast<int>(y)));
    guarded([&] {
      png_read_image(png_, rows.data());
      png_read_end(png_, info_);
    });
    return {std::move(image), orientation()};
  }

 private:
  /// Runs calls to libpng and throws if they fail. `step` must own nothing: libpng leaves it by longjmp.
  template <class Step>
  void guarded(const Step& step) {
    if (setjmp(png_jmpbuf(png_)) != 0) {
      if (truncated_) throw DecodeError("the PNG data are truncated");
      throw DecodeError("the PNG data are damaged: " + std::string(message_));
    }
    step();
  }

  [[nodiscard]] int orientation() {
    png_uint_32 size = 0;
    png_bytep exif = nullptr;
    if (png_get_eXIf_1(png_, info_, &size, &exif) == 0) return 1;
    return exif_orientation(std::as_bytes(std::span(exif, size)));
  }

  static void on_read(png_structp png, png_bytep out, std::size_t size) {
    auto* self = static_cast<PngReader*>(png_get_io_ptr(png));
    if (self->rest_.size() < size) {
      self->truncated_ = true;
      png_error(png, "");
    }
    std::memcpy(out, self->rest_.data(), size);
    self->rest_ = self->rest_.subspan(size);
  }

  [[noreturn]] static void on_error(png_structp png, png_const_charp message) {
    auto* self = static_cast<PngReader*>(png_get_error_ptr(png));
    std::strncpy(self->message_, message, sizeof self->message_ - 1);
    png_longjmp(png, 1);
  }

  static void on_warning(png_structp, png_const_charp) {}

  Bytes rest_;
  std::uint64_t max_pixels_;
  bool truncated_ = false;
  char message_[128] = {};
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

}  // namespace

Decoded decode_png(Bytes file, std::uint64_t max_pixels) { return PngReader(file, max_pixels).read(); }

}  // namespace octavo::imageio
