// GIF (CompuServe's GIF89a) with giflib: the first image, on the screen that the file describes. What it does not
// cover is transparent, as are the pixels of its transparent colour. The other images are not unpacked, but the file
// must go on to its end marker.

#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "io/images/decoders.h"

namespace octavo::io {
namespace {

/// What is left of a file in memory, and whether more than that was wanted.
struct GifSource {
  Bytes rest;
  bool ended = false;
};

int on_read(GifFileType* gif, GifByteType* out, int size) {
  GifSource& source = *static_cast<GifSource*>(gif->UserData);
  const auto wanted = static_cast<std::size_t>(std::max(size, 0));
  const std::size_t count = std::min(source.rest.size(), wanted);
  source.ended = source.ended || count < wanted;
  if (count > 0) std::memcpy(out, source.rest.data(), count);
  source.rest = source.rest.subspan(count);
  return static_cast<int>(count);
}

[[noreturn]] void fail(const GifSource& source, int error) {
  if (error == D_GIF_ERR_NOT_ENOUGH_MEM) throw std::bad_alloc();
  if (source.ended) throw DecodeError("the GIF data are truncated");
  const char* const words = GifErrorString(error);
  throw DecodeError("the GIF data are damaged" + (words == nullptr ? "" : ": " + std::string(words)));
}

class GifReader {
 public:
  explicit GifReader(Bytes file) : size_(file.size()), source_{file}, gif_(nullptr, close) {
    int error = 0;
    gif_.reset(DGifOpen(&source_, on_read, &error));
    if (!gif_) fail(source_, error);
  }

  Decoded read(std::uint64_t max_pixels) {
    Image image;
    for (bool is_first = true;;) {
      GifRecordType record = UNDEFINED_RECORD_TYPE;
      require(DGifGetRecordType(gif_.get(), &record));
      if (record == TERMINATE_RECORD_TYPE) break;
      if (record == EXTENSION_RECORD_TYPE) {
        read_extension(is_first);
      } else if (record == IMAGE_DESC_RECORD_TYPE) {
        require(DGifGetImageDesc(gif_.get()));
        if (is_first) {
          image = first_image(max_pixels);
        } else {
          skip_codes();
        }
        is_first = false;
      }
    }
    if (image.empty()) throw DecodeError("the GIF data hold no image");
    return {std::move(image)};
  }

 private:
  static void close(GifFileType* gif) { DGifCloseFile(gif, nullptr); }

  void require(int result) const {
    if (result != GIF_OK) fail(source_, gif_->Error);
  }

  void read_extension(bool is_of_first) {
    int code = 0;
    GifByteType* block = nullptr;
    require(DGifGetExtension(gif_.get(), &code, &block));
    while (block != nullptr) {
      GraphicsControlBlock control;
      const bool is_control = is_of_first && code == GRAPHICS_EXT_FUNC_CODE;
      if (is_control && DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK) {
        transparent_ = control.TransparentColor;
      }
      require(DGifGetExtensionNext(gif_.get(), &block));
    }
  }

  void skip_codes() {
    int code_size = 0;
    GifByteType* block = nullptr;
    require(DGifGetCode(gif_.get(), &code_size, &block));
    while (block != nullptr) require(DGifGetCodeNext(gif_.get(), &block));
  }

  Image first_image(std::uint64_t max_pixels) {
    const GifImageDesc& place = gif_->Image;
    const ColorMapObject* const colours = place.ColorMap != nullptr ? place.ColorMap : gif_->SColorMap;
    if (colours == nullptr) throw DecodeError("the GIF data are damaged: the palette is missing");
    // As in browsers an image that is larger than the screen enlarges it.
    const int width = std::max(gif_->SWidth, place.Left + place.Width);
    const int height = std::max(gif_->SHeight, place.Top + place.Height);
    check_size(static_cast<std::uint64_t>(width), static_cast<std::uint64_t>(height), max_pixels);
    // A code has three bits or more, and is a string of at most 4096 pixels.
    const auto pixels = static_cast<std::uint64_t>(place.Width) * static_cast<std::uint64_t>(place.Height);
    if (pixels == 0) throw DecodeError("the GIF data are damaged: the first image has no pixels");
    if (pixels * 3 / 8 / 4096 > size_) throw DecodeError("the GIF data are truncated");

    const bool covers = place.Left == 0 && place.Top == 0 && place.Width == width && place.Height == height;
    Image image(width, height, covers && transparent_ == NO_TRANSPARENT_COLOR ? 3 : 4, PixelType::u8);
    if (!covers)
      std::memset(image.row(0), 0, static_cast<std::size_t>(image.stride()) * static_cast<std::size_t>(height));
    std::vector<GifPixelType> row(static_cast<std::size_t>(place.Width));
    // Interlaced rows come in four passes.
    constexpr std::array<std::array<int, 2>, 4> passes{{{0, 8}, {4, 8}, {2, 4}, {1, 2}}};
    constexpr std::array<std::array<int, 2>, 1> whole{{{0, 1}}};
    for (const auto& [first, step] : place.Interlace ? std::span<const std::array<int, 2>>(passes) : whole) {
      for (int y = first; y < place.Height; y += step) {
        require(DGifGetLine(gif_.get(), row.data(), place.Width));
        colour_row(row, *colours, image, place.Left, place.Top + y);
      }
    }
    return image;
  }

  void colour_row(const std::vector<GifPixelType>& row, const ColorMapObject& colours, Image& image, int left,
                  int y) const {
    const int channels = image.channels();
    std::byte* out = image.row(y) + static_cast<std::ptrdiff_t>(left) * channels;
    for (const GifPixelType index : row) {
      if (index >= colours.ColorCount) throw DecodeError("the GIF data are damaged: a colour is missing");
      const GifColorType& colour = colours.Colors[index];
      *out++ = std::byte{colour.Red};
      *out++ = std::byte{colour.Green};
      *out++ = std::byte{colour.Blue};
      if (channels == 4) *out++ = std::byte{static_cast<unsigned char>(index == transparent_ ? 0 : 255)};
    }
  }

  std::size_t size_;
  GifSource source_;
  std::unique_ptr<GifFileType, void (*)(GifFileType*)> gif_;
  int transparent_ = NO_TRANSPARENT_COLOR;
};

}  // namespace

Decoded decode_gif(Bytes file, std::uint64_t max_pixels) { return GifReader(file).read(max_pixels); }

}  // namespace octavo::io
