// The pixels of an image in the memory of a GPU, and the ways they get there: from the host in pieces, so that the
// device fetches one while the host stages others, since one thread copies more slowly than a bus carries; from where
// they lie, if that is pinned memory; or from elsewhere on the device.

#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "device/cpu_pool.h"
#include "device/gpu.h"
#include "octavo/device_image.h"
#include "octavo/image.h"

namespace octavo {

/// One image at a time; rows are packed.
class ImageOnGpu {
 public:
  explicit ImageOnGpu(std::shared_ptr<Gpu> gpu) : gpu_(std::move(gpu)) {}

  /// Makes room for images like this one. Throws Error(out_of_memory); release comes next.
  void prepare(const ImageView& image);
  /// Gives the memory back; prepare comes next.
  void release();

  /// Enqueues the upload; the queue has finished what came before. The answer true says that it is read from where it
  /// lies, until the upload is done, since its rows are packed in pinned memory; otherwise `pool` staged it and it is
  /// not needed any more.
  bool upload(GpuQueue& queue, const ImageView& image, CpuPool& pool);
  /// Enqueues the copy of an image on the device that the Gpu recognises.
  void copy(GpuQueue& queue, const DeviceImage& image);

  [[nodiscard]] GpuBuffer& pixels() { return *pixels_; }
  [[nodiscard]] std::size_t row_bytes() const { return row_bytes_; }
  [[nodiscard]] std::size_t bytes() const { return row_bytes_ * rows_; }

 private:
  std::shared_ptr<Gpu> gpu_;
  std::size_t row_bytes_ = 0, rows_ = 0;
  std::unique_ptr<GpuBuffer> pixels_;
  std::unique_ptr<GpuPinned> staging_;
};

/// An image that is there once the queue has done what it was given until now.
struct PixelsOnGpu {
  GpuQueue& queue;
  ImageOnGpu& image;
};

}  // namespace octavo
