// WebP with libwebp. The container (RFC 9649) is a RIFF file. Its header gives its length, so truncation is detected.
// An "EXIF" chunk may give an orientation.

#include <webp/decode.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "imageio/decoders.h"
#include "imageio/exif.h"

namespace octavo::imageio {
namespace {

constexpr std::size_t chunk_header = 8;

/// The length in the header of a chunk.
std::size_t chunk_length(Bytes chunk) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < 4; ++i) length |= std::to_integer<std::size_t>(chunk[4 + i]) << 8 * i;
  return length;
}

int orientation(Bytes file) {
  Bytes rest = file.subspan(chunk_header + 4);
  while (rest.size() >= chunk_header) {
    const std::size_t length = std::min(chunk_length(rest), rest.size() - chunk_header);
    if (std::memcmp(rest.data(), "EXIF", 4) == 0) return exif_orientation(rest.subspan(chunk_header, length));
    rest = rest.subspan(std::min(rest.size(), chunk_header + length + length % 2));  // chunks start at even offsets
  }
  return 1;
}

}  // namespace

Decoded decode_webp(Bytes file, std::uint64_t max_pixels) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(file.data());
  if (chunk_length(file) > file.size() - chunk_header) throw DecodeError("the WebP data are truncated");
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(data, file.size(), &features) != VP8_STATUS_OK) throw DecodeError("the WebP data are damaged");
  if (features.has_animation) throw DecodeError("it is an animation");
  check_size(static_cast<std::uint64_t>(features.width), static_cast<std::uint64_t>(features.height), max_pixels);

  Image image(features.width, features.height, features.has_alpha ? 4 : 3, PixelType::u8);
  const auto decode = features.has_alpha ? WebPDecodeRGBAInto : WebPDecodeRGBInto;
  const std::size_t size = static_cast<std::size_t>(image.stride()) * static_cast<std::size_t>(image.height());
  auto* pixels = reinterpret_cast<std::uint8_t*>(image.row(0));
  if (!decode(data, file.size(), pixels, size, static_cast<int>(image.stride()))) {
    throw DecodeError("the WebP data are damaged");
  }
  return {std::move(image), orientation(file)};
}

}  // namespace octavo::imageio
