#pragma once

#include <cstddef>
#include <memory>

#include "octavo/api.h"
#include "octavo/image_view.h"

// Images that own their pixels.

namespace OCTAVO_API octavo {

/// An image that owns its pixels. Rows are packed. An image is movable; `clone` copies it.
class Image {
 public:
  Image() = default;

  /// Makes an image with uninitialised pixels. Throws Error(invalid_argument) if a size is negative or `channels` is
  /// not 1…4, and Error(out_of_memory) if the memory cannot be allocated.
  Image(int width, int height, int channels, PixelType type, ChannelOrder order = ChannelOrder::rgb);

  /// [pixel]
  [[nodiscard]] int width() const { return view_.width; }
  /// [pixel]
  [[nodiscard]] int height() const { return view_.height; }
  /// 1…4.
  [[nodiscard]] int channels() const { return view_.channels; }
  /// That of every channel.
  [[nodiscard]] PixelType type() const { return view_.type; }
  /// Which channel is red.
  [[nodiscard]] ChannelOrder order() const { return view_.order; }
  /// [byte] from one row to the next.
  [[nodiscard]] std::ptrdiff_t stride() const { return view_.stride; }
  /// Whether it has no pixels.
  [[nodiscard]] bool empty() const { return view_.width == 0 || view_.height == 0; }
  /// The first byte of row y, 0 ≤ y < height.
  [[nodiscard]] std::byte* row(int y) { return data_.get() + y * view_.stride; }
  /// The same, to read.
  [[nodiscard]] const std::byte* row(int y) const { return view_.row(y); }
  /// Its pixels, as functions take them. It is valid while the image lives and is not moved from.
  [[nodiscard]] const ImageView& view() const { return view_; }
  /// A copy with memory of its own. Throws Error(out_of_memory).
  [[nodiscard]] Image clone() const;

 private:
  std::unique_ptr<std::byte[]> data_;
  ImageView view_;
};

}  // namespace octavo
