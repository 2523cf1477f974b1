#pragma once

#include <cstddef>
#include <cstdint>

#include "octavo/api.h"

// Views of images, in the memory of the host and of a CUDA device, and what images are counted in. A header that takes
// or gives an Image, and holds none, includes this one alone: then an edit of octavo/image.h compiles only what makes
// images.

namespace OCTAVO_API octavo {

/// The number type of one sample. u8 spans 0…255, u16 0…65535, f32 0…1 (values outside, NaN and infinities are errors).
enum class PixelType : std::uint8_t { u8, u16, f32 };

/// Bytes of one sample.
constexpr std::size_t bytes_of(PixelType type) { return type == PixelType::u8 ? 1 : type == PixelType::u16 ? 2 : 4; }

/// The order of the colours in a pixel. OpenCV's images and most cameras' are bgr.
enum class ChannelOrder : std::uint8_t { rgb, bgr };

/// A non-owning, read-only view of an image: H×W×C samples. Rows are `stride` bytes apart. Channels are interleaved:
/// 1 (grey), 2 (grey, alpha), 3 (red, green, blue) or 4 (red, green, blue, alpha); with ChannelOrder::bgr, red and blue
/// have changed places. The order changes no result: it is that of the same image with the colours in the other
/// order. Alpha is ignored.
/// Pixel (0, 0) is the top-left one. Whole coordinates are pixel centres.
struct ImageView {
  const void* data = nullptr;
  int width = 0;
  int height = 0;
  int channels = 1;
  PixelType type = PixelType::u8;
  std::ptrdiff_t stride = 0;  ///< bytes from one row to the next; need not be aligned
  ChannelOrder order = ChannelOrder::rgb;

  /// The first byte of row y, 0 ≤ y < height.
  [[nodiscard]] const std::byte* row(int y) const { return static_cast<const std::byte*>(data) + y * stride; }
};

class Image;  // octavo/image.h

/// Width and height.
struct ImageSize {
  int width = 0;   ///< [pixel]
  int height = 0;  ///< [pixel]
  friend bool operator==(const ImageSize&, const ImageSize&) = default;
};

/// A non-owning, read-only view of an image in the memory of a CUDA device, such as a decoded frame or a tensor.
/// Channels, their order, types and origin are those of ImageView.
struct DeviceImage {
  const void* data = nullptr;  ///< device memory of the primary context, which is the context of the CUDA runtime
  int width = 0;
  int height = 0;
  int channels = 1;
  PixelType type = PixelType::u8;
  /// [byte] The distance from one row to the next, at least the length of a row. It need not be aligned.
  std::ptrdiff_t stride = 0;
  /// The cudaStream_t or CUstream that orders the read: the image is read after the work that was enqueued on this
  /// stream before the call, and before the work that is enqueued after the call. null: the default stream.
  void* stream = nullptr;
  ChannelOrder order = ChannelOrder::rgb;
};

}  // namespace octavo
