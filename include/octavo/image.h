#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "octavo/api.h"

// Images: views, owners, sizes, and views of what lies in the memory of a CUDA device.

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

  [[nodiscard]] const std::byte* row(int y) const { return static_cast<const std::byte*>(data) + y * stride; }
};

/// An image that owns its pixels. Rows are packed. An image is movable; `clone` copies it.
class Image {
 public:
  Image() = default;

  /// Makes an image with uninitialised pixels. Throws Error(invalid_argument) if a size is negative or `channels` is
  /// not 1…4, and Error(out_of_memory) if the memory cannot be allocated.
  Image(int width, int height, int channels, PixelType type, ChannelOrder order = ChannelOrder::rgb);

  [[nodiscard]] int width() const { return view_.width; }
  [[nodiscard]] int height() const { return view_.height; }
  [[nodiscard]] int channels() const { return view_.channels; }
  [[nodiscard]] PixelType type() const { return view_.type; }
  [[nodiscard]] ChannelOrder order() const { return view_.order; }
  [[nodiscard]] std::ptrdiff_t stride() const { return view_.stride; }
  [[nodiscard]] bool empty() const { return view_.width == 0 || view_.height == 0; }
  [[nodiscard]] std::byte* row(int y) { return data_.get() + y * view_.stride; }
  [[nodiscard]] const std::byte* row(int y) const { return view_.row(y); }
  [[nodiscard]] const ImageView& view() const { return view_; }
  [[nodiscard]] Image clone() const;

 private:
  std::unique_ptr<std::byte[]> data_;
  ImageView view_;
};

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
