// The Gaussian pyramid of one image at a time on a GPU: all images of all octaves in one buffer.

#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/device/gpu.h"
#include "engine/device/image_on_gpu.h"
#include "engine/scale_space/plan.h"
#include "octavo/image_view.h"

namespace octavo {

using wide = std::int64_t;
#include "engine/maths/host_spelling.h"
#include "engine/scale_space/pyramid_layout.h"

class PyramidGpu {
 public:
  explicit PyramidGpu(std::shared_ptr<Gpu> gpu);

  /// Makes room for images of the shape of `image`. Throws Error(out_of_memory); call `release` after an error.
  void prepare(const ImageView& image, Luma luma, ScaleSpacePlan plan);

  /// Frees the memory. `prepare` must be called before the next use.
  void release();

  /// The image, whose pixels must be there before the blurs.
  [[nodiscard]] ImageOnGpu& image() { return image_; }

  /// Enqueues everything from the uploaded image to the last level of the last octave. The upper levels of a large
  /// octave go to a branch of the queue, those of all small ones to another, since the next octave does not need them.
  /// `large_done` is called with a queue and a large octave when all levels of that octave are enqueued on that queue.
  /// The caller joins the branches. Without the last image, S + 2, an octave ends with image S + 1.
  enum class LastImage { made, left_out };
  void enqueue_blurs(GpuQueue& queue, LastImage last, const std::function<void(GpuQueue&, int octave)>& large_done);
  [[nodiscard]] std::size_t branches() const { return static_cast<std::size_t>(large_octaves_) + 1; }
  /// The filter that makes the last image from the one before, and its radius. The radius is 0 if a patch cannot be
  /// made so: if it is too large, or edges are repeated.
  [[nodiscard]] FewTaps last_filter() const;
  [[nodiscard]] int last_radius() const;
  /// The two parts of enqueue_blurs: the image in grey, unless the first blur reads the image itself, and the rest.
  void enqueue_grey(GpuQueue& queue);
  void enqueue_octaves(GpuQueue& queue, LastImage last, const std::function<void(GpuQueue&, int octave)>& large_done);

  /// Enqueues only images 0…S of every octave, on this queue alone: for points that need no differences of Gaussians.
  void enqueue_images(GpuQueue& queue);

  /// Enqueues everything from the uploaded image to image 0 of the first octave. With enqueue_halved, which makes image
  /// 0 of a later octave from image S of the one before, it serves callers that smooth the octaves by another filter.
  void enqueue_first(GpuQueue& queue);
  void enqueue_halved(GpuQueue& queue, int octave);
  /// Enqueues the differences of neighbouring images of an octave, S + 2 of them, to `to`, which has room for
  /// difference_floats() floats: from first_difference(octave) on, in rows and images like those of the octave's
  /// layout.
  void enqueue_differences(GpuQueue& queue, int octave, GpuBuffer& to);
  [[nodiscard]] std::size_t difference_floats() const;
  [[nodiscard]] wide first_difference(int octave) const;
  /// The image in grey after enqueue_first, with rows `grey_stride()` floats apart.
  [[nodiscard]] const GpuBuffer& grey() const { return *source_; }
  [[nodiscard]] int grey_stride() const { return grey_stride_; }

  [[nodiscard]] const ScaleSpacePlan& plan() const { return plan_; }
  [[nodiscard]] const std::vector<OctaveLayout>& layout() const { return layout_; }
  [[nodiscard]] int tiles() const { return tiles_; }                  ///< of all octaves
  [[nodiscard]] int large_octaves() const { return large_octaves_; }  ///< the first octaves, which fill the GPU
  [[nodiscard]] int rows() const { return rows_; }                    ///< of keypoints, of all octaves
  [[nodiscard]] const GpuBuffer& levels() const { return *levels_; }

 private:
  // Kernels that are compiled for one radius.
  struct FixedBlur {
    int radius;
    int tall_at_once, middle_at_once;  // groups of a multiprocessor
    std::unique_ptr<GpuKernel> tall, middle, flat;
  };
  struct FixedFirstBlur {
    int radius;
    std::unique_ptr<GpuKernel> of_grey;  // null if the image is not doubled: the blurs of the octaves serve
    std::unique_ptr<GpuKernel> of_bytes;
  };
  struct FixedChain {
    std::vector<int> radii;
    std::unique_ptr<GpuKernel> kernel;
    [[nodiscard]] int blurs() const { return static_cast<int>(radii.size()); }
  };
  struct Blur {
    const GpuKernel* kernel;
    // Rows of a tile if the kernel is compiled for a radius; 0 if it takes any radius.
    int rows;
    int at_once;    // groups of a multiprocessor
    float of_byte;  // factor of a byte of the source
  };
  struct Plane {
    const GpuBuffer& buffer;
    wide first;  // in pixels, like the stride
    int stride;
  };

  void launch_grey(GpuQueue& queue, GpuBuffer& to);
  void enqueue_base(GpuQueue& queue);
  void enqueue_base_of_grey(GpuQueue& queue);
  // The first blur of the plan's radius; null if there is none.
  [[nodiscard]] const FixedFirstBlur* fixed_first_blur() const;
  // The kernel that reads the uploaded image itself and makes image 0 of the first octave; null if there is none.
  [[nodiscard]] const GpuKernel* base_from_bytes() const;
  // True if image 0 of the first octave is the image in grey.
  [[nodiscard]] bool base_is_grey() const { return !plan_.doubled && plan_.base.radius() == 0; }
  void enqueue_levels(GpuQueue& queue, int octave, int first, int last);
  // The longest chain of the blurs that lead to `level` and further images, up to `last`; null if there is none, or if
  // the octave is too large for it.
  [[nodiscard]] const FixedChain* chain_from(int octave, int level, int last) const;
  void enqueue_chain(GpuQueue& queue, const FixedChain& chain, int octave, int level);
  // The next octave if this image, halved, begins it; otherwise null.
  [[nodiscard]] const OctaveLayout* begun_by(int octave, int level) const;
  void enqueue_blur(GpuQueue& queue, const Plane& in, int octave, int level, const Taps& taps, const Blur& blur);
  // The rows of tiles that have all rows of a tile, of `rows`. The tiles after the last full wave of groups are flat if
  // these are at most a wave: most multiprocessors wait for them.
  [[nodiscard]] int whole_tiles(const Blur& blur, int columns, int rows) const;
  // The kernel for a filter whose tiles are as high as possible while there are still enough tiles to fill the GPU.
  [[nodiscard]] Blur fitting_blur(Size size, const Taps& taps) const;

  std::shared_ptr<Gpu> gpu_;
  std::unique_ptr<GpuKernel> grey_, halve_, differences_, blur_any_, blur_doubled_any_;
  std::vector<FixedBlur> blurs_;
  std::vector<FixedChain> chains_;
  std::vector<FixedFirstBlur> first_blurs_;  // of the image as it is
  std::vector<FixedFirstBlur> first_blurs_doubled_;

  ScaleSpacePlan plan_;
  std::vector<OctaveLayout> layout_;
  int tiles_ = 0, rows_ = 0, large_octaves_ = 0;
  int width_ = 0, height_ = 0, channels_ = 0, grey_stride_ = 0;
  PixelType type_ = PixelType::u8;
  Luma luma_ = Luma::bt709;
  ChannelOrder order_ = ChannelOrder::rgb;
  ImageOnGpu image_;
  std::unique_ptr<GpuBuffer> source_, levels_;
};

const KernelModule& scale_space_kernels();

}  // namespace octavo
