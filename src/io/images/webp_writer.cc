// WebP with libwebp, without loss, at the effort of its simple functions. Where alpha is 0 libwebp chooses the colours,
// which are not seen.

#include <webp/encode.h>

#include <memory>
#include <new>
#include <string>
#include <utility>

#include "io/images/byte_sink.h"
#include "io/images/encoders.h"

namespace octavo::io {
namespace {

int on_write(const std::uint8_t* data, std::size_t size, const WebPPicture* target) {
  return static_cast<ByteSink*>(target->custom_ptr)->append(data, size) ? 1 : 0;
}

}  // namespace

std::vector<std::byte> encode_webp(const ImageView& image) {
  if (image.width > WEBP_MAX_DIMENSION || image.height > WEBP_MAX_DIMENSION) {
    throw EncodeError("a WebP file holds at most " + std::to_string(WEBP_MAX_DIMENSION) +
                      " pixels a side, the image is " + std::to_string(image.width) + " × " +
                      std::to_string(image.height));
  }
  constexpr float effort = 70;  // of 100
  WebPConfig config;
  WebPPicture target;
  if (WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, effort) == 0 || WebPPictureInit(&target) == 0) {
    throw EncodeError("the version of libwebp is not the one that Octavo is built for");
  }
  const std::unique_ptr<WebPPicture, void (*)(WebPPicture*)> owner(&target, WebPPictureFree);
  ByteSink sink;
  config.lossless = 1;
  target.use_argb = 1;
  target.width = image.width;
  target.height = image.height;
  target.writer = on_write;
  target.custom_ptr = &sink;
  const auto* pixels = static_cast<const std::uint8_t*>(image.data);
  const auto stride = static_cast<int>(image.stride);
  const bool is_imported = image.channels == 4 ? WebPPictureImportRGBA(&target, pixels, stride) != 0
                                               : WebPPictureImportRGB(&target, pixels, stride) != 0;
  if (is_imported && WebPEncode(&config, &target) != 0) return std::move(sink.bytes);
  const WebPEncodingError error = target.error_code;
  const bool is_short = error == VP8_ENC_ERROR_OUT_OF_MEMORY || error == VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY;
  if (is_short || sink.is_out_of_memory) throw std::bad_alloc();
  throw EncodeError("libwebp: error " + std::to_string(error));
}

}  // namespace octavo::io
