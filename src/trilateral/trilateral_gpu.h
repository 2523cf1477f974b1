// The trilateral filter on a GPU.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "device/gpu.h"
#include "trilateral/trilateral.h"

namespace octavo {

/// Filters planes of floats that lie in the memory of a GPU.
class TrilateralGpu {
 public:
  TrilateralGpu(const TrilateralOptions& options, std::shared_ptr<Gpu> gpu);

  /// Rows of floats in a buffer.
  struct Rows {
    const GpuBuffer& buffer;
    std::int64_t first;  ///< [float] pixel (0, 0)
    int stride;          ///< [float] from row to row
  };

  /// Makes room for images of this size. Throws Error(out_of_memory); release comes next.
  void prepare(int width, int height);

  /// Gives the memory back; prepare comes next.
  void release();

  /// Enqueues all steps on an image of the size that there is room for, of finite values. `to` must not share memory
  /// with `from`. `done`, if given, is told each step when it is enqueued.
  void enqueue(GpuQueue& queue, const Rows& from, const Rows& to, const std::function<void(const char*)>& done = {});

  /// The steps before the windows, and the windows by a kernel of the same arguments, and `more`, as filter_near and
  /// filter_far: what benchmarks compare.
  void enqueue_levels(GpuQueue& queue, const Rows& from, const std::function<void(const char*)>& done = {});
  template <class... More>
  void enqueue_windows(GpuQueue& queue, const GpuKernel& kernel, const GpuGrid& grid, const Rows& from, const Rows& to,
                       const More&... more) {
    queue.launch(kernel, grid, from.buffer, from.first, from.stride, *scaled_, stride_, width_, height_,
                 plan_.shape(width_, height_), *range_, *levels_, level_stride_, *smooth_x_, *smooth_y_, *exponent_,
                 *row_weight_, *disc_, to.buffer, to.first, to.stride, more...);
  }

  /// Enqueues the download of the levels of the image filtered last, `level_bytes()` of them, `level_stride()` a row.
  void download_levels(GpuQueue& queue, std::uint8_t* to) const;
  [[nodiscard]] const GpuBuffer& levels() const { return *levels_; }  ///< bytes
  [[nodiscard]] int level_stride() const { return level_stride_; }
  [[nodiscard]] std::size_t level_bytes() const;

  [[nodiscard]] TrilateralSchedule schedule() const;
  [[nodiscard]] const TrilateralPlan& plan() const { return plan_; }

 private:
  TrilateralPlan plan_;
  std::shared_ptr<Gpu> gpu_;
  std::unique_ptr<GpuKernel> find_range_, to_scaled_, find_levels_, smooth_, filter_near_, filter_far_;
  [[nodiscard]] const GpuKernel& filter_kernel() const;

  std::unique_ptr<GpuBuffer> exponent_, row_weight_, disc_;  // the plan's tables
  std::unique_ptr<GpuBuffer> range_, scaled_, levels_, smooth_x_, smooth_y_;
  int width_ = 0, height_ = 0, stride_ = 0, level_stride_ = 0;
};

std::unique_ptr<TrilateralEngine> make_trilateral_gpu(const TrilateralOptions& options, std::shared_ptr<Gpu> gpu);

const KernelModule& trilateral_kernels();

}  // namespace octavo
