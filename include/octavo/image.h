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

}  // namespace octavo
