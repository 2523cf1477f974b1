// Masks come as any kind of image; the extractor wants one byte per pixel. An image carries its mask as alpha, so that
// all that is made of it knows what counts.

#include "io/images/mask.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "engine/core/check_image.h"
#include "octavo/batch.h"
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

bool has_alpha(const ImageView& image) { return image.channels == 2 || image.channels == 4; }

std::size_t sample_bytes(PixelType type) { return type == PixelType::u8 ? 1 : type == PixelType::u16 ? 2 : 4; }

// An opaque sample of alpha.
std::array<std::byte, 4> opaque_sample(PixelType type) {
  std::array<std::byte, 4> sample;
  sample.fill(std::byte{255});
  const float one = 1;
  if (type == PixelType::f32) std::memcpy(sample.data(), &one, sizeof(one));
  return sample;
}

bool is_opaque(const std::byte* sample, PixelType type) {
  if (type == PixelType::u8) return std::to_integer<int>(*sample) >= 128;
  std::uint16_t of_16 = 0;
  float of_32 = 0;
  if (type == PixelType::u16) return std::memcpy(&of_16, sample, sizeof(of_16)), of_16 >= 32768;
  return std::memcpy(&of_32, sample, sizeof(of_32)), of_32 >= 0.5F;
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
  options.warning.of_range = false;
  return options;
}

std::shared_ptr<const Image> mask_of_alpha(const ImageView& image) {
  if (!has_alpha(image)) return nullptr;
  const std::size_t bytes = sample_bytes(image.type), pixel = bytes * static_cast<std::size_t>(image.channels);
  auto mask = std::make_shared<Image>(image.width, image.height, 1, PixelType::u8);
  bool hides = false;
  for (int y = 0; y < image.height; ++y) {
    const std::byte* alpha = image.row(y) + pixel - bytes;
    for (std::byte& keep : std::span(mask->row(y), static_cast<std::size_t>(image.width))) {
      keep = is_opaque(alpha, image.type) ? std::byte{255} : std::byte{0};
      hides = hides || keep == std::byte{0};
      alpha += pixel;
    }
  }
  return hides ? mask : nullptr;
}

std::string why_none_shown(const ImageView& image, bool is_masked) {
  const auto mask = mask_of_alpha(image);
  if (!mask) return why_no_keypoints(image);
  if (!values_used(mask->view(), 0)) {
    return is_masked ? "the mask, or an alpha channel, hides all of it" : "its alpha channel hides all of it";
  }
  return why_no_keypoints(image, &mask->view());
}

Features extract_shown(Extractor& extractor, const ImageView& image) {
  const auto mask = mask_of_alpha(image);
  return extractor.extract(image, mask ? &mask->view() : nullptr);
}

LoadedImage masked(Image image) {
  auto mask = mask_of_alpha(image.view());
  return {std::move(image), std::move(mask)};
}

Image hidden_by(const ImageView& image, const ImageView& mask) {
  const std::size_t bytes = sample_bytes(image.type), pixel = bytes * static_cast<std::size_t>(image.channels),
                    colours = pixel - (has_alpha(image) ? bytes : 0);
  const std::array<std::byte, 4> opaque = opaque_sample(image.type), hidden{};
  Image result(image.width, image.height, static_cast<int>(colours / bytes) + 1, image.type);
  for (int y = 0; y < image.height; ++y) {
    const std::byte *from = image.row(y), *keep = mask.row(y);
    std::byte* to = result.row(y);
    for (int x = 0; x < image.width; ++x, from += pixel, to += colours + bytes) {
      const std::byte* alpha = has_alpha(image) ? from + colours : opaque.data();
      std::memcpy(to, from, colours);
      std::memcpy(to + colours, keep[x] == std::byte{0} ? hidden.data() : alpha, bytes);
    }
  }
  return result;
}

}  // namespace octavo
