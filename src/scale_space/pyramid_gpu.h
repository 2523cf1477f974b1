// The Gaussian pyramid of one image at a time on a GPU: all images of all octaves in one buffer.

#pragma once

#include <memory>
#include <vector>

#include "device/cpu_pool.h"
#include "device/gpu.h"
#include "octavo/image.h"
#include "scale_space/plan.h"

namespace octavo {

using wide = std::int64_t;
#include "maths/host_spelling.h"
#include "scale_space/pyramid_layout.h"

class PyramidGpu {
 public:
  explicit PyramidGpu(std::shared_ptr<Gpu> gpu);

  /// Makes room for images like this one. Throws Error(out_of_memory); release comes next.
  void prepare(const ImageView& image, const SiftOptions& options, ScaleSpacePlan plan);

  /// Gives the memory back; prepare comes next.
  void release();

  /// Enqueues the upload of the image, which is not needed afterwards, by way of `staging`, `image_bytes()` long, where
  /// `pool` copies it.
  void upload(GpuQueue& queue, const ImageView& image, std::byte* staging, CpuPool& pool);
  [[nodiscard]] GpuBuffer& image() { return *image_; }  ///< its rows, packed
  [[nodiscard]] std::size_t image_bytes() const { return image_bytes_; }

  /// Everything from the uploaded image to the last level of the last octave.
  void enqueue_blurs(GpuQueue& queue);

  [[nodiscard]] const ScaleSpacePlan& plan() const { return plan_; }
  [[nodiscard]] const std::vector<OctaveLayout>& layout() const { return layout_; }
  [[nodiscard]] int tiles() const { return tiles_; }  ///< of all octaves
  [[nodiscard]] int rows() const { return rows_; }    ///< of keypoints, of all octaves
  [[nodiscard]] const GpuBuffer& levels() const { return *levels_; }

 private:
  void enqueue_blur(GpuQueue& queue, const GpuBuffer& in, wide in_first, int in_stride, int octave, int level,
                    const Taps& taps, bool doubled);
  const GpuKernel& blur_kernel(int radius, bool doubled);

  std::shared_ptr<Gpu> gpu_;
  std::unique_ptr<GpuKernel> grey_, blur_any_, blur_doubled_any_, blur_doubled_5_;
  std::vector<std::pair<int, std::unique_ptr<GpuKernel>>> blurs_;  // by radius

  ScaleSpacePlan plan_;
  std::vector<OctaveLayout> layout_;
  int tiles_ = 0, rows_ = 0;
  int width_ = 0, height_ = 0, channels_ = 0, grey_stride_ = 0;
  PixelType type_ = PixelType::u8;
  Luma luma_ = Luma::bt709;
  std::size_t image_bytes_ = 0;
  std::unique_ptr<GpuBuffer> image_, source_, levels_;
};

/// Room for at least `bytes`, kept if it is there already; what was in it is lost.
void make_room(Gpu& gpu, std::unique_ptr<GpuBuffer>& buffer, std::size_t bytes);

const KernelModule& scale_space_kernels();

}  // namespace octavo
