// PNG with libpng: palettes become colours, transparent colours an alpha channel. 1, 2 and 4 bits become 8, and 16 bits
// stay. The image is complete only if its end marker has been read. Of an animation (APNG) libpng reads the first
// image.
//
// Texts and colour profiles are skipped: each can unpack to a thousand times its size, and the pixels do not need them.
// Only png_metadata reads the profile and XMP, with a bound.

#include <bit>
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include <png.h>

#include "io/exif/exif.h"
#include "io/images/decoders.h"

namespace octavo::io {
namespace {

class PngReader {
 public:
  PngReader(Bytes file, std::uint64_t max_pixels) : size_(file.size()), rest_(file), max_pixels_(max_pixels) {
    png_ = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, this, on_error, on_warning, this, on_allocate, on_free);
    info_ = png_ ? png_create_info_struct(png_) : nullptr;
    if (!info_) {
      png_destroy_read_struct(&png_, nullptr, nullptr);
      throw std::bad_alloc();
    }
  }
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  /// What stands before the pixels.
  ImageMetadata read_metadata() {
    read_header(true);
    const Bytes notes = exif();
    png_charp name = nullptr;
    int compression = 0;
    png_bytep profile = nullptr;
    png_uint_32 size = 0;
    if (png_get_iCCP(png_, info_, &name, &compression, &profile, &size) == 0) size = 0;
    const Bytes icc = std::as_bytes(std::span(profile, size));
    return {.icc = {icc.begin(), icc.end()}, .exif = {notes.begin(), notes.end()}, .xmp = xmp()};
  }

  Decoded read() {
    read_header(false);
    const png_uint_32 width = png_get_image_width(png_, info_);
    const png_uint_32 height = png_get_image_height(png_, info_);
    check_size(width, height, max_pixels_);
    // A deflated byte stands for at most 1032 bytes (zlib's technical notes).
    if (height * std::uint64_t{png_get_rowbytes(png_, info_)} / 1032 > size_) throw DecodeError(truncated);
    int passes = 1;
    guarded([&] {  // the first of these calls takes memory for rows
      png_set_expand(png_);
      if (std::endian::native == std::endian::little) png_set_swap(png_);
      passes = png_set_interlace_handling(png_);
      png_read_update_info(png_, info_);
    });
    Image image(static_cast<int>(width), static_cast<int>(height), png_get_channels(png_, info_),
                png_get_bit_depth(png_, info_) == 16 ? PixelType::u16 : PixelType::u8);
    guarded([&] {
      for (int pass = 0; pass < passes; ++pass) {
        for (int y = 0; y < image.height(); ++y) png_read_row(png_, reinterpret_cast<png_bytep>(image.row(y)), nullptr);
      }
      png_read_end(png_, info_);
    });
    return {std::move(image), exif_facts(exif())};
  }

 private:
  static constexpr int most_texts = 8;  // it bounds their memory together
  static constexpr const char* truncated = "the PNG data are truncated";
  static constexpr png_byte skipped_chunks[] = "iCCP\0iTXt\0tEXt\0zTXt\0sPLT\0pCAL\0sCAL";

  /// Runs calls to libpng and throws if they fail. `step` must own nothing: libpng leaves it by longjmp.
  template <class Step>
  void guarded(const Step& step) {
    if (setjmp(png_jmpbuf(png_)) != 0) {
      if (truncated_) throw DecodeError(truncated);
      if (out_of_memory_) throw std::bad_alloc();
      throw DecodeError("the PNG data are damaged: " + std::string(message_));
    }
    step();
  }

  void read_header(bool with_metadata) {
    constexpr int chunk = 5;  // [byte] a name in the list
    guarded([&] {
      png_set_read_fn(png_, this, on_read);
      png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // check_size limits the size
      if (with_metadata) {
        png_set_chunk_malloc_max(png_, most_profile);
        png_set_chunk_cache_max(png_, most_texts);
      }
      png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, skipped_chunks + (with_metadata ? 2 * chunk : 0),
                                  static_cast<int>(sizeof skipped_chunks) / chunk - (with_metadata ? 2 : 0));
      png_read_info(png_, info_);
    });
  }

  [[nodiscard]] Bytes exif() {
    png_uint_32 size = 0;
    png_bytep block = nullptr;
    if (png_get_eXIf_1(png_, info_, &size, &block) == 0) return {};
    return std::as_bytes(std::span(block, size));
  }

  /// The text of XMP (ISO 16684-3).
  [[nodiscard]] std::string xmp() {
    png_textp texts = nullptr;
    const int count = png_get_text(png_, info_, &texts, nullptr);
    for (int i = 0; i < count; ++i) {
      if (std::strcmp(texts[i].key, "XML:com.adobe.xmp") == 0) return {texts[i].text, texts[i].itxt_length};
    }
    return {};
  }

  static png_voidp on_allocate(png_structp png, png_alloc_size_t size) {
    void* const memory = std::malloc(size);
    if (memory == nullptr) static_cast<PngReader*>(png_get_mem_ptr(png))->out_of_memory_ = true;
    return memory;
  }

  static void on_free(png_structp, png_voidp memory) { std::free(memory); }

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

  std::size_t size_;
  Bytes rest_;
  std::uint64_t max_pixels_;
  bool truncated_ = false;
  bool out_of_memory_ = false;
  char message_[128] = {};
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

}  // namespace

Decoded decode_png(Bytes file, std::uint64_t max_pixels) { return PngReader(file, max_pixels).read(); }

ImageMetadata png_metadata(Bytes file) { return PngReader(file, 0).read_metadata(); }

}  // namespace octavo::io
