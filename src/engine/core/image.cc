// The image that owns its pixels: one block without gaps, rows from top to bottom.

#include "octavo/image.h"

#include <cstring>
#include <limits>
#include <new>

#include "octavo/error.h"

namespace octavo {

Image::Image(int width, int height, int channels, PixelType type, ChannelOrder order) {
  if (width < 0 || height < 0 || channels < 1 || channels > 4) {
    throw Error(ErrorCode::invalid_argument, "an image of " + std::to_string(width) + "×" + std::to_string(height) +
                                                 " pixels with " + std::to_string(channels) +
                                                 " channels cannot be made; sizes are at least 0, channels 1 to 4");
  }
  const std::size_t row_bytes = static_cast<std::size_t>(width) * channels * bytes_of(type);
  const std::size_t bytes = row_bytes * static_cast<std::size_t>(height);
  try {
    data_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "no memory for an image of " + std::to_string(bytes) + " bytes");
  }
  view_ = {data_.get(), width, height, channels, type, static_cast<std::ptrdiff_t>(row_bytes), order};
}

Image Image::clone() const {
  Image copy(width(), height(), channels(), type(), order());
  if (!empty()) std::memcpy(copy.data_.get(), data_.get(), static_cast<std::size_t>(stride()) * height());
  return copy;
}

}  // namespace octavo
