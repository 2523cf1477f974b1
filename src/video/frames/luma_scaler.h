#pragma once

// Scaled images of decoded frames on a GPU (video_kernels.cl.h), with the bytes of the CPU.

#include <cstddef>
#include <memory>
#include <span>

#include "engine/device/gpu.h"
#include "octavo/image_view.h"
#include "video/frames/packet_decoder.h"

namespace octavo::video {

/// Buffers are made once, for frames of one form. Samples have one byte if the depth is 8, and else two, with the value
/// in the upper bits.
class LumaScaler {
 public:
  LumaScaler(std::shared_ptr<Gpu> gpu, const LumaForm& form);

  /// The image of a frame in memory of the device that is not Octavo's. The rows can be overwritten afterwards.
  Image scale(const GpuForeignRows& luma);
  /// The image of a frame in host memory, in packed rows.
  Image scale(std::span<const std::byte> luma);

  /// [byte] of a row of samples.
  [[nodiscard]] std::size_t row_bytes() const;

 private:
  template <class Fill>
  Image scaled(const Fill& fill);

  std::shared_ptr<Gpu> gpu_;
  LumaForm form_;
  std::unique_ptr<GpuKernel> scale_luma_;
  std::unique_ptr<GpuBuffer> levels_, luma_, image_;
  std::unique_ptr<GpuPinned> host_;
  std::unique_ptr<GpuQueue> queue_;
};

}  // namespace octavo::video
