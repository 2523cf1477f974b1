#pragma once

#include <cstddef>

#include "octavo/api.h"
#include "octavo/image.h"

namespace OCTAVO_API octavo {

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
