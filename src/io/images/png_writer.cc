// PNG with libpng, compressed as OpenCV does: every row is the difference to the pixel on its left, packed by zlib's
// run lengths at its fastest level. The files of photographs are about as large as with slower levels.

#include <png.h>
#include <zlib.h>

#include <bit>
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "io/images/byte_sink.h"
#include "io/images/encoders.h"

namespace octavo::io {
namespace {

class PngWriter {
 public:
  PngWriter() {
    png_ = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, this, on_error, on_warning, this, on_allocate, on_free);
    info_ = png_ ? png_create_info_struct(png_) : nullptr;
    if (!info_) {
      png_destroy_write_struct(&png_, nullptr);
      throw std::bad_alloc();
    }
  }
  ~PngWriter() { png_destroy_write_struct(&png_, &info_); }
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;

  std::vector<std::byte> write(const ImageView& image, const ImageMetadata& metadata) {
    guarded([&] {
      png_set_write_fn(png_, this, on_write, on_flush);
      png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
      png_set_filter(png_, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
      png_set_compression_level(png_, Z_BEST_SPEED);
      png_set_compression_strategy(png_, Z_RLE);
      png_set_IHDR(png_, info_, static_cast<png_uint_32>(image.width), static_cast<png_uint_32>(image.height),
                   image.type == PixelType::u16 ? 16 : 8, colour_type(image.channels), PNG_INTERLACE_NONE,
                   PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
      set(metadata);
      png_write_info(png_, info_);
      if (std::endian::native == std::endian::little) png_set_swap(png_);
      for (int y = 0; y < image.height; ++y) png_write_row(png_, reinterpret_cast<png_const_bytep>(image.row(y)));
      png_write_end(png_, nullptr);  // with the information EXIF data would be written once more
    });
    return std::move(sink_.bytes);
  }

 private:
  /// libpng leaves out a profile that is damaged.
  void set(const ImageMetadata& metadata) {
    const auto* const icc = reinterpret_cast<png_const_bytep>(metadata.icc.data());
    const auto size = [](const auto& bytes) { return static_cast<png_uint_32>(bytes.size()); };
    png_set_benign_errors(png_, 1);
    if (!metadata.icc.empty()) {
      png_set_iCCP(png_, info_, "ICC profile", PNG_COMPRESSION_TYPE_BASE, icc, size(metadata.icc));
    }
    // libpng copies both; its interface is older than const.
    if (!metadata.exif.empty()) {
      png_set_eXIf_1(png_, info_, size(metadata.exif),
                     reinterpret_cast<png_bytep>(const_cast<std::byte*>(metadata.exif.data())));
    }
    if (metadata.xmp.empty()) return;
    char key[] = "XML:com.adobe.xmp", none[] = "";
    png_text text{};
    text.compression = PNG_ITXT_COMPRESSION_NONE;
    text.key = key;
    text.text = const_cast<char*>(metadata.xmp.c_str());
    text.itxt_length = metadata.xmp.size();
    text.lang = text.lang_key = none;
    png_set_text(png_, info_, &text, 1);
  }

  static int colour_type(int channels) {
    return channels == 1 ? PNG_COLOR_TYPE_GRAY : channels == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA;
  }

  /// Runs calls to libpng and throws if they fail. `step` must own nothing: libpng leaves it by longjmp.
  template <class Step>
  void guarded(const Step& step) {
    if (setjmp(png_jmpbuf(png_)) != 0) {
      if (sink_.is_out_of_memory) throw std::bad_alloc();
      throw EncodeError("libpng: " + std::string(message_));
    }
    step();
  }

  static png_voidp on_allocate(png_structp png, png_alloc_size_t size) {
    void* const memory = std::malloc(size);
    if (memory == nullptr) static_cast<PngWriter*>(png_get_mem_ptr(png))->sink_.is_out_of_memory = true;
    return memory;
  }

  static void on_free(png_structp, png_voidp memory) { std::free(memory); }

  static void on_write(png_structp png, png_bytep data, std::size_t size) {
    if (!static_cast<PngWriter*>(png_get_io_ptr(png))->sink_.append(data, size)) png_error(png, "");
  }

  static void on_flush(png_structp) {}

  [[noreturn]] static void on_error(png_structp png, png_const_charp message) {
    auto* self = static_cast<PngWriter*>(png_get_error_ptr(png));
    std::strncpy(self->message_, message, sizeof self->message_ - 1);
    png_longjmp(png, 1);
  }

  static void on_warning(png_structp, png_const_charp) {}

  ByteSink sink_;
  char message_[128] = {};
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

}  // namespace

std::vector<std::byte> encode_png(const ImageView& image, const ImageMetadata& metadata) {
  return PngWriter().write(image, metadata);
}

}  // namespace octavo::io
