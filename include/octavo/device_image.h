#pragma once

#include <cstddef>

#include "octavo/image.h"

namespace octavo {

/// A read-only look at an image that lies in the memory of a CUDA device and belongs to somebody else: a decoded frame,
/// a tensor. Channels, types and origin are those of ImageView.
struct DeviceImage {
  const void* data = nullptr;  ///< device memory of the primary context, which is the one that the CUDA runtime uses
  int width = 0;
  int height = 0;
  int channels = 1;
  PixelType type = PixelType::u8;
  std::ptrdiff_t stride = 0;  ///< [byte] from one row to the next, at least a row's own; need not be aligned
  /// The cudaStream_t or CUstream in whose order the image is read: after the work that this stream was given before,
  /// and before the work that it is given after. null: the default stream.
  void* stream = nullptr;
};

}  // namespace octavo
