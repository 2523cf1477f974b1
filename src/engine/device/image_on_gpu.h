// The pixels of an image in the memory of a GPU. They come from host memory, from pinned memory or from elsewhere on
// the device. From host memory they are copied in pieces: several threads stage the pieces, since one thread copies
// more slowly than a bus transfers, and the device fetches one piece while others are staged.

#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "engine/device/cpu_pool.h"
#include "engine/device/gpu.h"
#include "octavo/image_view.h"

namespace octavo {

/// Holds one image at a time. Its rows are packed.
class ImageOnGpu {
 public:
  explicit ImageOnGpu(std::shared_ptr<Gpu> gpu) : gpu_(std::move(gpu)) {}

  /// Makes room for images of the size and type of `image`. Throws Error(out_of_memory); call `release` after an error.
  void prepare(const ImageView& image);
  /// Frees the memory. `prepare` must be called before the next use.
  void release();

  /// Enqueues the upload. Earlier work of the queue is done. Returns true if the device reads the caller's memory until
  /// the upload is done; this happens if the rows are packed in pinned memory. Otherwise `pool` has staged the image,
  /// and the caller may free it.
  bool upload(GpuQueue& queue, const ImageView& image, CpuPool& pool);
  /// Enqueues the copy of an image on the device, in memory that the Gpu recognises.
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

}  // namespace octavo
