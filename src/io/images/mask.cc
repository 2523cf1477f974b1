// Masks come as any kind of image; the extractor wants one byte per pixel.

#include "io/images/mask.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "engine/core/check_image.h"
#include "octavo/io/image_files.h"

namespace octavo {
namespace {

// Samples are copied, as rows need not be aligned.
template <typename Sample>
void threshold_row(const std::byte* row, int channels, std::span<std::byte> mask) {
  const int colours = channels == 2 || channels == 4 ? channels - 1 : channels;
  for (std::byte& keep : mask) {
    Sample pixel[4];
    std::memcpy(pixel, row, sizeof(Sample) * static_cast<std::size_t>(channels));
    const bool lit = std::any_of(pixel, pixel + colours, [](Sample sample) { return sample != Sample{}; });
    keep = lit ? std::byte{255} : std::byte{0};
    row += sizeof(Sample) * static_cast<std::size_t>(channels);
  }
}

}  // namespace

Image mask_of(const ImageView& image) {
  check_image(image);
  Image mask(image.width, image.height, 1, PixelType::u8);
  for (int y = 0; y < image.height; ++y) {
    const std::span<std::byte> row(mask.row(y), static_cast<std::size_t>(mask.width()));
    switch (image.type) {
      case PixelType::u8:
        threshold_row<std::uint8_t>(image.row(y), image.channels, row);
        break;
      case PixelType::u16:
        threshold_row<std::uint16_t>(image.row(y), image.channels, row);
        break;
      case PixelType::f32:
        threshold_row<float>(image.row(y), image.channels, row);
        break;
    }
  }
  return mask;
}

ReadOptions mask_options(ReadOptions options) {
  options.range = InputRange::image;
  options.black = 0;
  options.white = 1;
  return options;
}

Image read_mask(const std::filesystem::path& file, const ReadOptions& options) {
  return mask_of(read_image(file, mask_options(options)).view());
}

}  // namespace octavo
