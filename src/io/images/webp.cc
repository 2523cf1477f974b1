// WebP with libwebp. The container (RFC 9649) is a RIFF file. Its header gives its length, so truncation is detected.
// An "EXIF" chunk may have EXIF data.

#include <webp/decode.h>
#include <webp/demux.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "io/exif/exif.h"
#include "io/images/decoders.h"

namespace octavo::io {
namespace {

constexpr std::size_t chunk_header = 8;

const std::uint8_t* data_of(Bytes file) { return reinterpret_cast<const std::uint8_t*>(file.data()); }

/// The length in the header of a chunk.
std::size_t chunk_length(Bytes chunk) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < 4; ++i) length |= std::to_integer<std::size_t>(chunk[4 + i]) << 8 * i;
  return length;
}

/// The content of the first chunk of a name, of four letters.
Bytes content_of(Bytes file, const char* name) {
  Bytes rest = file.subspan(chunk_header + 4);
  while (rest.size() >= chunk_header) {
    const std::size_t length = std::min(chunk_length(rest), rest.size() - chunk_header);
    if (std::memcmp(rest.data(), name, 4) == 0) return rest.subspan(chunk_header, length);
    rest = rest.subspan(std::min(rest.size(), chunk_header + length + length % 2));  // chunks start at even offsets
  }
  return {};
}

Image still(Bytes file, const WebPBitstreamFeatures& features) {
  Image image(features.width, features.height, features.has_alpha ? 4 : 3, PixelType::u8);
  WebPDecoderConfig config;
  if (WebPInitDecoderConfig(&config) == 0) throw std::bad_alloc();
  config.output.colorspace = features.has_alpha ? MODE_RGBA : MODE_RGB;
  config.output.is_external_memory = 1;
  config.output.u.RGBA = {.rgba = reinterpret_cast<std::uint8_t*>(image.row(0)),
                          .stride = static_cast<int>(image.stride()),
                          .size = static_cast<std::size_t>(image.stride()) * static_cast<std::size_t>(image.height())};
  const VP8StatusCode status = WebPDecode(data_of(file), file.size(), &config);
  if (status == VP8_STATUS_OUT_OF_MEMORY) throw std::bad_alloc();
  if (status != VP8_STATUS_OK) throw DecodeError("the WebP data are damaged");
  return image;
}

/// The first image, on the canvas that the file describes.
Image first_of_animation(Bytes file, const WebPBitstreamFeatures& features) {
  WebPAnimDecoderOptions options;
  if (WebPAnimDecoderOptionsInit(&options) == 0) throw std::bad_alloc();
  options.color_mode = MODE_RGBA;
  const WebPData data{data_of(file), file.size()};
  const std::unique_ptr<WebPAnimDecoder, void (*)(WebPAnimDecoder*)> decoder(WebPAnimDecoderNew(&data, &options),
                                                                             WebPAnimDecoderDelete);
  std::uint8_t* canvas = nullptr;
  int time = 0;
  if (!decoder || WebPAnimDecoderGetNext(decoder.get(), &canvas, &time) == 0) {
    throw DecodeError("the WebP data are damaged");
  }
  Image image(features.width, features.height, features.has_alpha ? 4 : 3, PixelType::u8);
  for (int y = 0; y < image.height(); ++y) {
    std::byte* out = image.row(y);
    for (int x = 0; x < image.width(); ++x, canvas += 4, out += image.channels()) {
      std::memcpy(out, canvas, static_cast<std::size_t>(image.channels()));
    }
  }
  return image;
}

}  // namespace

Decoded decode_webp(Bytes file, std::uint64_t max_pixels) {
  if (chunk_length(file) > file.size() - chunk_header) throw DecodeError("the WebP data are truncated");
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(data_of(file), file.size(), &features) != VP8_STATUS_OK)
    throw DecodeError("the WebP data are damaged");
  check_size(static_cast<std::uint64_t>(features.width), static_cast<std::uint64_t>(features.height), max_pixels);
  Image image = features.has_animation ? first_of_animation(file, features) : still(file, features);
  return {std::move(image), exif_facts(content_of(file, "EXIF"))};
}

ImageMetadata webp_metadata(Bytes file) {
  const Bytes icc = content_of(file, "ICCP"), exif = content_of(file, "EXIF"), xmp = content_of(file, "XMP ");
  return {.icc = {icc.begin(), icc.end()},
          .exif = {exif.begin(), exif.end()},
          .xmp = {reinterpret_cast<const char*>(xmp.data()), xmp.size()}};
}

}  // namespace octavo::io
