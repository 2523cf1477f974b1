// The trilateral filter on a GPU.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "device/cpu_pool.h"
#include "device/gpu.h"
#include "trilateral/trilateral.h"

namespace octavo {

/// Filters planes of floats that lie in the memory of a GPU, by any of a set of filters, which share its buffers. Where
/// a filter is asked for by a number, it is that of its plan.
class TrilateralGpu {
 public:
  TrilateralGpu(const TrilateralOptions& options, std::shared_ptr<Gpu> gpu);
  TrilateralGpu(std::vector<TrilateralPlan> plans, std::shared_ptr<Gpu> gpu);

  /// Rows of floats in a buffer.
  struct Rows {
    const GpuBuffer& buffer;
    std::int64_t first;  ///< [float] pixel (0, 0)
    int stride;          ///< [float] from row to row
  };

  /// Makes room for images of this size, and the next has it. Throws Error(invalid_argument) for more than 2^31 − 1
  /// pixels if a filter's windows reach more than 11, Error(out_of_memory); release comes next.
  void prepare(int width, int height);

  /// The next image has this size. There is room for larger ones.
  void resize(int width, int height);

  /// Gives the memory back; prepare comes next.
  void release();

  /// Enqueues all steps on an image of the size that there is room for, of finite values. `to` must not share memory
  /// with `from`. `done`, if given, is told each step when it is enqueued.
  void enqueue(GpuQueue& queue, const Rows& from, const Rows& to, const std::function<void(const char*)>& done = {});

  /// Enqueues the measuring of the contrast of a grey image: σ_r follows from it from then on.
  void enqueue_contrast(GpuQueue& queue, const Rows& grey, int width, int height);
  [[nodiscard]] const GpuBuffer& contrast() const { return *contrast_; }  ///< one float

  /// Enqueues the finding of σ_r by the gradients of an image.
  void enqueue_range(GpuQueue& queue, const Rows& from);
  /// The steps from there to the levels and their order, for this filter and those that reach less.
  void enqueue_levels(GpuQueue& queue, const Rows& from, std::size_t filter = 0,
                      const std::function<void(const char*)>& done = {});
  /// The smoothed gradients of a filter that has them.
  void enqueue_smoothing(GpuQueue& queue, std::size_t filter = 0, const std::function<void(const char*)>& done = {});
  /// These and the rest.
  void enqueue_filter(GpuQueue& queue, const Rows& from, const Rows& to, std::size_t filter = 0,
                      const std::function<void(const char*)>& done = {});

  /// The windows by a kernel of the arguments of filter_near, and `more`: what benchmarks compare.
  template <class... More>
  void enqueue_windows(GpuQueue& queue, const GpuKernel& kernel, const GpuGrid& grid, const Rows& from, const Rows& to,
                       const More&... more) {
    enqueue_windows_of(filters_.front(), queue, kernel, grid, from, to, more...);
  }

  /// Enqueues the download of the levels of the image filtered last, `level_bytes()` of them, `level_stride()` a row.
  void download_levels(GpuQueue& queue, std::uint8_t* to) const;
  [[nodiscard]] const GpuBuffer& levels() const { return *levels_; }  ///< bytes
  [[nodiscard]] int level_stride() const { return level_stride_; }
  [[nodiscard]] std::size_t level_bytes() const;

  [[nodiscard]] TrilateralSchedule schedule() const;
  [[nodiscard]] const TrilateralPlan& plan() const { return filters_.front().plan; }

 private:
  struct Filter {
    TrilateralPlan plan;
    std::unique_ptr<GpuBuffer> exponent, row_weight, disc;  // its tables
  };

  template <class... More>
  void enqueue_windows_of(const Filter& filter, GpuQueue& queue, const GpuKernel& kernel, const GpuGrid& grid,
                          const Rows& from, const Rows& to, const More&... more) {
    queue.launch(kernel, grid, from.buffer, from.first, from.stride, *scaled_, stride_, width_, height_,
                 filter.plan.shape(width_, height_), *range_, *levels_, level_stride_, *smooth_x_, *smooth_y_,
                 *filter.exponent, *filter.row_weight, *filter.disc, to.buffer, to.first, to.stride, more...);
  }
  // So many rows a group that there are groups for the whole GPU, and few atomic operations.
  [[nodiscard]] int rows_of_group(int width, int height) const;
  // Its windows are summed in the order of all pixels.
  [[nodiscard]] static bool is_far(const Filter& filter);
  void enqueue_order(GpuQueue& queue);

  std::vector<Filter> filters_;
  std::shared_ptr<Gpu> gpu_;
  std::unique_ptr<GpuKernel> count_greys_, find_contrast_, find_range_, to_scaled_, find_levels_, smooth_, filter_near_,
      count_levels_, begin_levels_, list_pixels_, filter_far_;
  std::unique_ptr<GpuBuffer> bins_, contrast_, range_, scaled_, levels_, smooth_x_, smooth_y_, counts_, order_;
  int width_ = 0, height_ = 0, stride_ = 0, level_stride_ = 0;
};

/// `pool` stages images for the upload.
std::unique_ptr<TrilateralEngine> make_trilateral_gpu(const TrilateralOptions& options, std::shared_ptr<Gpu> gpu,
                                                      CpuPool pool);

const KernelModule& trilateral_kernels();

}  // namespace octavo
