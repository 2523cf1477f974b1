// The Gaussian pyramid of one image at a time on a GPU: all images of all octaves in one buffer.

#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "device/gpu.h"
#include "device/image_on_gpu.h"
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

  /// Room for the image, whose pixels are there before the blurs.
  [[nodiscard]] ImageOnGpu& image() { return image_; }

  /// Everything from the uploaded image to the last level of the last octave. The large octaves' upper levels go to
  /// branch 0 of the queue, those of the small ones to branch 1: neither is needed for the next octave. `large_done` is
  /// told a large octave, and the queue, when all its levels are enqueued there. The branches are left for the caller
  /// to join.
  void enqueue_blurs(GpuQueue& queue, const std::function<void(GpuQueue&, int octave)>& large_done);
  static constexpr std::size_t branches = 2;

  /// For who smooths the octaves himself: everything from the uploaded image to image 0 of the first octave, and image
  /// 0 of a later octave from image S of the one before.
  void enqueue_first(GpuQueue& queue);
  void enqueue_halved(GpuQueue& queue, int octave);
  /// After enqueue_first: the image in grey, `grey_stride()` floats a row.
  [[nodiscard]] const GpuBuffer& grey() const { return *source_; }
  [[nodiscard]] int grey_stride() const { return grey_stride_; }

  [[nodiscard]] const ScaleSpacePlan& plan() const { return plan_; }
  [[nodiscard]] const std::vector<OctaveLayout>& layout() const { return layout_; }
  [[nodiscard]] int tiles() const { return tiles_; }                  ///< of all octaves
  [[nodiscard]] int large_octaves() const { return large_octaves_; }  ///< the first octaves, which fill the GPU
  [[nodiscard]] int rows() const { return rows_; }                    ///< of keypoints, of all octaves
  [[nodiscard]] const GpuBuffer& levels() const { return *levels_; }

 private:
  // Kernels compiled for a radius.
  struct FixedBlur {
    int radius;
    std::unique_ptr<GpuKernel> tall, middle, flat;
  };
  struct Blur {
    const GpuKernel* kernel;
    int rows;       // of a tile, where the radius is compiled; 0 where the kernel takes any
    float of_byte;  // what a byte of the source is multiplied by
  };
  struct Plane {
    const GpuBuffer& buffer;
    wide first;  // in pixels, as the stride
    int stride;
  };

  void enqueue_base(GpuQueue& queue);
  void enqueue_levels(GpuQueue& queue, int octave, int first, int last);
  void enqueue_blur(GpuQueue& queue, const Plane& in, int octave, int level, const Taps& taps, const Blur& blur);
  // The kernel for a radius whose tiles are as tall as they can be while there are enough to fill the GPU.
  [[nodiscard]] Blur fitting_blur(Size size, int radius) const;

  std::shared_ptr<Gpu> gpu_;
  std::unique_ptr<GpuKernel> grey_, halve_, blur_any_, blur_doubled_any_, blur_doubled_5_, blur_doubled_bytes_5_,
      blur_bytes_7_;
  std::vector<FixedBlur> blurs_;

  ScaleSpacePlan plan_;
  std::vector<OctaveLayout> layout_;
  int tiles_ = 0, rows_ = 0, large_octaves_ = 0;
  int width_ = 0, height_ = 0, channels_ = 0, grey_stride_ = 0;
  PixelType type_ = PixelType::u8;
  Luma luma_ = Luma::bt709;
  ImageOnGpu image_;
  std::unique_ptr<GpuBuffer> source_, levels_;
};

const KernelModule& scale_space_kernels();

}  // namespace octavo
