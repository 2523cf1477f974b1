// HEIC and AVIF with libheif: images in HEIF's container (ISO/IEC 23008-12), coded with HEVC or AV1. The container
// gives the rotation and the crop of its image, which libheif applies. EXIF data repeat the rotation, which is
// ignored there. HEVC and AV1 have no check sums, so a flipped bit causes wrong pixels, as in a JPEG.

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <libheif/heif.h>

#include "io/images/decoders.h"
#include "io/images/full_range.h"
#include "io/images/heif_work.h"
#include "octavo/io/image_formats.h"

namespace octavo::io {
namespace {

void require(const heif_error& result) {
  if (result.code == heif_error_Ok) return;
  // It reports what exceeds its own limits as a shortage of memory too.
  const bool is_limit = result.subcode == heif_suberror_Security_limit_exceeded;
  if (result.code == heif_error_Memory_allocation_error && !is_limit) throw std::bad_alloc();
  throw DecodeError("the HEIC or AVIF data are truncated, damaged or of a rare kind: " + std::string(result.message));
}

template <class T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

Owned<heif_context> open(Bytes file, [[maybe_unused]] std::uint64_t max_pixels) {
  Owned<heif_context> context(heif_context_alloc(), heif_context_free);
  if (!context) throw std::bad_alloc();
#if LIBHEIF_HAVE_VERSION(1, 19, 0)
  // Before this version its limits were fixed. check_heif_work has been there for all versions.
  heif_security_limits* const limits = heif_context_get_security_limits(context.get());
  constexpr std::uint64_t most_bytes_per_pixel = 8;  // four channels of 16 bits
  limits->max_image_size_pixels = most_heif_pixels(max_pixels);
  limits->max_memory_block_size = most_bytes_per_pixel * most_heif_pixels(max_pixels);
#endif
  // It starts no threads of its own, since images are already decoded in parallel.
  heif_context_set_max_decoding_threads(context.get(), 0);
  require(heif_context_read_from_memory_without_copy(context.get(), file.data(), file.size(), nullptr));
  return context;
}

using Handle = Owned<heif_image_handle>;

Handle owned(heif_image_handle* handle) {
  return {handle, [](heif_image_handle* old) { heif_image_handle_release(old); }};
}

Handle primary_image(heif_context* context) {
  heif_image_handle* handle = nullptr;
  require(heif_context_get_primary_image_handle(context, &handle));
  return owned(handle);
}

heif_chroma layout(bool deep, bool alpha) {
  if (!deep) return alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB;
  const bool little = std::endian::native == std::endian::little;
  if (alpha) return little ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBBAA_BE;
  return little ? heif_chroma_interleaved_RRGGBB_LE : heif_chroma_interleaved_RRGGBB_BE;
}

Owned<heif_image> decoded(const heif_image_handle* handle, heif_colorspace space, heif_chroma chroma) {
  const Owned<heif_decoding_options> options(heif_decoding_options_alloc(), heif_decoding_options_free);
  if (!options) throw std::bad_alloc();
  options->strict_decoding = 1;
  // This AV1 decoder prints nothing. libheif lets dav1d print messages about damaged data.
  options->decoder_id = "aom";
  heif_image* image = nullptr;
  require(heif_decode_image(handle, &image, space, chroma, options.get()));
  return {image, [](heif_image* old) { heif_image_release(old); }};
}

/// Throws DecodeError if the alpha channel is damaged. It is a separate image. When libheif decodes the colours, it
/// chooses the decoder of the alpha channel itself, and that one may print messages.
void check_alpha(const heif_image_handle* handle) {
  constexpr int alpha = LIBHEIF_AUX_IMAGE_FILTER_OMIT_DEPTH;
  std::vector<heif_item_id> items(
      static_cast<std::size_t>(std::max(heif_image_handle_get_number_of_auxiliary_images(handle, alpha), 0)));
  heif_image_handle_get_list_of_auxiliary_image_IDs(handle, alpha, items.data(), static_cast<int>(items.size()));
  for (const heif_item_id item : items) {
    heif_image_handle* auxiliary = nullptr;
    require(heif_image_handle_get_auxiliary_image_handle(handle, item, &auxiliary));
    const Handle channel = owned(auxiliary);
    // An image that is its own alpha channel, also by way of others, would let libheif decode it without an end.
    if (heif_image_handle_has_alpha_channel(channel.get()) != 0) {
      throw DecodeError("the HEIC or AVIF data are damaged: an alpha channel has an alpha channel");
    }
    decoded(channel.get(), heif_colorspace_undefined, heif_chroma_undefined);
  }
}

/// Copies the rows; samples of 9 to 15 bits are scaled to 16.
Image copied(const heif_image* pixels, bool deep, bool alpha) {
  constexpr heif_channel all = heif_channel_interleaved;
  const int width = heif_image_get_width(pixels, all), height = heif_image_get_height(pixels, all);
  int stride = 0;
  const std::uint8_t* rows = heif_image_get_plane_readonly(pixels, all, &stride);
  if (!rows || width < 1 || height < 1) throw DecodeError("the HEIC or AVIF data are damaged");
  Image image(width, height, alpha ? 4 : 3, deep ? PixelType::u16 : PixelType::u8);
  for (int y = 0; y < height; ++y) {
    std::memcpy(image.row(y), rows + static_cast<std::ptrdiff_t>(y) * stride, static_cast<std::size_t>(image.stride()));
  }
  const int bits = heif_image_get_bits_per_pixel_range(pixels, all);
  if (!deep || bits < 9 || bits > 15) return image;
  const std::uint32_t largest = (1u << bits) - 1;
  for (int y = 0; y < height; ++y) {
    auto* sample = reinterpret_cast<std::uint16_t*>(image.row(y));
    for (int i = 0; i < width * image.channels(); ++i) {
      sample[i] =
          static_cast<std::uint16_t>(to_full_range(std::min<std::uint32_t>(sample[i], largest), largest, 65535));
    }
  }
  return image;
}

std::vector<std::byte> exif(const heif_image_handle* handle) {
  heif_item_id item = 0;
  if (heif_image_handle_get_list_of_metadata_block_IDs(handle, "Exif", &item, 1) < 1) return {};
  std::vector<std::byte> block(heif_image_handle_get_metadata_size(handle, item));
  require(heif_image_handle_get_metadata(handle, item, block.data()));
  // ISO/IEC 23008-12, A.2.1: four bytes give the number of bytes between them and the TIFF header.
  constexpr std::size_t head = 4;
  if (block.size() < head) return {};
  std::size_t skipped = 0;
  for (std::size_t i = 0; i < head; ++i) skipped = skipped << 8 | std::to_integer<std::size_t>(block[i]);
  if (skipped > block.size() - head) return {};
  block.erase(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(head + skipped));
  return block;
}

/// ISO/IEC 23008-12, 6.11.4: XMP is a MIME item.
std::string xmp(const heif_image_handle* handle) {
  std::vector<heif_item_id> items(
      static_cast<std::size_t>(std::max(heif_image_handle_get_number_of_metadata_blocks(handle, "mime"), 0)));
  items.resize(static_cast<std::size_t>(
      heif_image_handle_get_list_of_metadata_block_IDs(handle, "mime", items.data(), static_cast<int>(items.size()))));
  for (const heif_item_id item : items) {
    const char* const type = heif_image_handle_get_metadata_content_type(handle, item);
    if (type == nullptr || std::string_view(type) != "application/rdf+xml") continue;
    std::string text(heif_image_handle_get_metadata_size(handle, item), '\0');
    require(heif_image_handle_get_metadata(handle, item, text.data()));
    return text;
  }
  return {};
}

/// The facts that do not depend on the rotation and the crop.
CameraFacts facts_of(const heif_image_handle* handle) {
  CameraFacts facts = exif_facts(exif(handle));
  facts.orientation = 1;
  facts.pixels_per_mm = facts.width = std::nullopt;
  return facts;
}

}  // namespace

Decoded decode_heif(Bytes file, std::uint64_t max_pixels) {
  check_heif_work(file, max_pixels);
  const Owned<heif_context> context = open(file, max_pixels);
  const Handle handle = primary_image(context.get());
  const int width = heif_image_handle_get_width(handle.get()), height = heif_image_handle_get_height(handle.get());
  check_size(static_cast<std::uint64_t>(std::max(width, 0)), static_cast<std::uint64_t>(std::max(height, 0)),
             max_pixels);
  const bool deep = heif_image_handle_get_luma_bits_per_pixel(handle.get()) > 8;
  const bool alpha = heif_image_handle_has_alpha_channel(handle.get()) != 0;
  if (alpha) check_alpha(handle.get());
  return {copied(decoded(handle.get(), heif_colorspace_RGB, layout(deep, alpha)).get(), deep, alpha),
          facts_of(handle.get())};
}

ImageMetadata heif_metadata(Bytes file) {
  const std::uint64_t max_pixels = ReadOptions().max_pixels;
  check_heif_work(file, max_pixels);
  const Owned<heif_context> context = open(file, max_pixels);
  const Handle handle = primary_image(context.get());
  const std::size_t size = heif_image_handle_get_raw_color_profile_size(handle.get());
  std::vector<std::byte> icc(size <= most_profile ? size : 0);
  if (!icc.empty()) require(heif_image_handle_get_raw_color_profile(handle.get(), icc.data()));
  return {.icc = std::move(icc), .exif = exif(handle.get()), .xmp = xmp(handle.get())};
}

}  // namespace octavo::io
