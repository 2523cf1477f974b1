#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "octavo/api.h"

// Views of images, in the memory of the host and of a CUDA device, what images are counted in, and the values of their
// samples. A header that takes or gives an Image, and holds none, includes this one alone: then an edit of
// octavo/image.h compiles only what makes images.

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
  const void* data = nullptr;              ///< the first byte of pixel (0, 0)
  int width = 0;                           ///< [pixel]
  int height = 0;                          ///< [pixel]
  int channels = 1;                        ///< 1…4
  PixelType type = PixelType::u8;          ///< of each sample
  std::ptrdiff_t stride = 0;               ///< bytes from one row to the next; need not be aligned
  ChannelOrder order = ChannelOrder::rgb;  ///< of red and blue; without effect on 1 and 2 channels

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
  const void* data = nullptr;      ///< device memory of the primary context, which is the context of the CUDA runtime
  int width = 0;                   ///< [pixel]
  int height = 0;                  ///< [pixel]
  int channels = 1;                ///< 1…4
  PixelType type = PixelType::u8;  ///< of each sample
  /// [byte] The distance from one row to the next, at least the length of a row. It need not be aligned.
  std::ptrdiff_t stride = 0;
  /// The cudaStream_t or CUstream that orders the read: the image is read after the work that was enqueued on this
  /// stream before the call, and before the work that is enqueued after the call. null: the default stream.
  void* stream = nullptr;
  ChannelOrder order = ChannelOrder::rgb;  ///< of red and blue; without effect on 1 and 2 channels
};

// Values of samples: the range that an image uses, and that of a format.

/// Two values of samples, in the unit of the image.
struct ValueRange {
  double low = 0, high = 0;
  friend bool operator==(const ValueRange&, const ValueRange&) = default;
};

/// The values that an image uses: all of its samples but a thousandth at either end, so that hot pixels do not count.
/// Left out are NaN and infinities, `no_data`, alpha channels and what they hide, pixels where `mask` (u8, one channel,
/// the image's size) is 0, and values that stand for missing data: the least or greatest value, if it is exactly that
/// of more than a thousandth of the samples, 16 at least, and farther from the next value than all others lie apart. So
/// is the greatest value of a u16 image alone, and only if it is four times as far from 0, and no value of a float
/// image that lies in 0…1. The range is that of all colours together. Nothing: no sample is left.
/// `missing`, if it is not null, gets the values besides `no_data` that stand for missing data.
std::optional<ValueRange> values_used(const ImageView& image, std::optional<double> no_data = {},
                                      const ImageView* mask = nullptr, std::vector<double>* missing = nullptr);

/// The range that holds both.
ValueRange joined(const ValueRange& a, const ValueRange& b);

/// The values that become 0 and full scale where an image, or all images of a set, use `used`.
///  - u8: 0 and 255.
///  - u16: 0 and the greatest value of as few bits as hold `used`: 1023 for samples of 10 bits.
///  - f32: 0 and 1 if `used` lies between them.
/// But where `used` is less than a quarter of that, or floats lie outside 0…1, it is the range itself. An image of one
/// value has no contrast to keep: 0 and the greatest value of the type, or 0 and 1.
ValueRange full_scale(PixelType type, const ValueRange& used);

/// Maps the samples of an image linearly, so that `from` becomes 0 and full scale of its type (255, 65535, 1). Values
/// outside are clipped; NaN becomes 0. An alpha channel stays as it is, but floats are clipped to 0…1.
/// Throws Error(invalid_argument) unless from.low < from.high.
void map_to_full_scale(Image& image, const ValueRange& from);

/// The inverse: 0 becomes `to.low`, full scale `to.high`. Samples of u8 and u16 are rounded and clipped; an alpha
/// channel stays as it is.
void map_from_full_scale(Image& image, const ValueRange& to);

/// Why an image may have no keypoints, as the end of a sentence: "all its samples are 128".
std::string why_no_keypoints(const ImageView& image, const ImageView* mask = nullptr);

// Luma of decoded video and of cameras, as images.

/// The samples of black and white in luma: 0 and 255, or 16 and 235, as most video has them; of u16 256 times as much.
enum class LumaRange : std::uint8_t { full, limited };

/// The luma plane of a frame: of NV12, NV21, P010 and P016 (semi-planar), and of I420, YV12, 4:2:2 and 4:4:4 (planar).
/// Octavo works on grey, which is the luma, so chroma has no part in it. P010 is u16: its 10 bits are the upper ones.
struct LumaPlane {
  const void* data = nullptr;
  int width = 0;                   ///< [pixel]
  int height = 0;                  ///< [pixel]
  std::ptrdiff_t stride = 0;       ///< bytes from one row to the next; need not be aligned
  PixelType type = PixelType::u8;  ///< u8 or u16
  LumaRange range = LumaRange::limited;
};

/// The plane as a grey image for an Extractor or a Pyramid. Of the full range it is the plane itself: the view has its
/// data and its stride. Of the limited range it is a copy in `room`, stretched to the full range, rounded to the
/// nearest sample and clipped; the samples are those that Octavo reads of a video. `room` must live as long as the
/// view, and needs no new memory for the next frame of the same size and type. Throws Error(invalid_argument) for an
/// invalid plane or f32, and Error(out_of_memory).
///
/// On a GPU, a plane of the full range is a DeviceImage with one channel. One of the limited range has 219/255 of the
/// contrast: give it as it is, and multiply contrast_threshold by that.
ImageView image_of(const LumaPlane& luma, Image& room);

}  // namespace octavo
