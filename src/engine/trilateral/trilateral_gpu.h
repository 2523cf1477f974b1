// The trilateral filter on a GPU.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "engine/device/gpu.h"
#include "engine/device/image_on_gpu.h"
#include "engine/scale_space/plan.h"
#include "engine/trilateral/trilateral.h"

namespace octavo {

/// The samples of rows that are `stride` apart.
inline std::size_t samples(int stride, int rows) {
  return static_cast<std::size_t>(stride) * static_cast<std::size_t>(rows);
}

/// Filters planes of floats in the memory of a GPU with any of a set of filters. The number of a filter is the index of
/// its plan. Images of different numbers (`use`) have no buffer in common but the contrast, so their work may run
/// concurrently; so may the windows of several filters over one image, if the filters do not smooth gradients.
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

  /// Makes room for images of these sizes, at least one. The first is the current one. Throws Error(invalid_argument)
  /// for more than 2^31 − 1 pixels if a filter's windows reach more than 11 pixels, and Error(out_of_memory); call
  /// `release` after an error.
  void prepare(const std::vector<Size>& images);

  /// Makes image number `image` of `prepare` the current one, to which the other functions refer.
  void use(std::size_t image) { current_ = image; }

  /// Frees the memory. `prepare` must be called before the next use.
  void release();

  /// Enqueues the conversion of an image of the current size, with these channels in this order and of this type, to
  /// grey, 0…1, with the luma of the first filter. `to` starts at the beginning of its buffer.
  void enqueue_grey(GpuQueue& queue, ImageOnGpu& image, int channels, ChannelOrder order, PixelType type,
                    const Rows& to);

  /// Enqueues all steps on an image of the current size, with finite values. `to` must not share memory with `from`.
  /// `done`, if given, is called with the name of each step when that step is enqueued.
  void enqueue(GpuQueue& queue, const Rows& from, const Rows& to, const std::function<void(const char*)>& done = {});

  /// Enqueues the measurement of the contrast of a grey image. Afterwards σ_r depends on that contrast for all images.
  void enqueue_contrast(GpuQueue& queue, const Rows& grey, int width, int height);
  [[nodiscard]] const GpuBuffer& contrast() const { return *contrast_; }  ///< one float

  /// Enqueues the computation of σ_r from the gradients of an image. It holds for the images filtered next.
  void enqueue_range(GpuQueue& queue, const Rows& from);
  /// Enqueues the following steps up to the levels and their order, for this filter and those with a smaller reach.
  void enqueue_levels(GpuQueue& queue, const Rows& from, std::size_t filter = 0,
                      const std::function<void(const char*)>& done = {});
  /// Enqueues the smoothing of gradients, for a filter that uses it.
  void enqueue_smoothing(GpuQueue& queue, std::size_t filter = 0, const std::function<void(const char*)>& done = {});
  /// Enqueues the smoothing of gradients and the windows.
  void enqueue_filter(GpuQueue& queue, const Rows& from, const Rows& to, std::size_t filter = 0,
                      const std::function<void(const char*)>& done = {});

  /// Enqueues the windows with a kernel that takes the arguments of filter_near, and `more`. Benchmarks compare such
  /// kernels.
  template <class... More>
  void enqueue_windows(GpuQueue& queue, const GpuKernel& kernel, const GpuGrid& grid, const Rows& from, const Rows& to,
                       const More&... more) {
    enqueue_windows_of(filters_.front(), queue, kernel, grid, from, to, more...);
  }

  /// Enqueues the download of the levels of the last filtered image: `level_bytes()` bytes, `level_stride()` per row.
  void download_levels(GpuQueue& queue, std::uint8_t* to) const;
  [[nodiscard]] const GpuBuffer& levels() const { return *current().levels; }  ///< bytes
  /// [float] from row to row of the filter's own planes. Other planes of that size may use the same stride.
  [[nodiscard]] int stride() const { return current().stride; }
  [[nodiscard]] int level_stride() const { return current().level_stride; }
  [[nodiscard]] std::size_t level_bytes() const;

  [[nodiscard]] TrilateralSchedule schedule() const;
  [[nodiscard]] const TrilateralPlan& plan() const { return filters_.front().plan; }

 private:
  struct Filter {
    TrilateralPlan plan;
    std::unique_ptr<GpuBuffer> exponent, row_weight, disc;  // the tables of the plan
  };
  // What the steps before the windows make of an image.
  struct Planes {
    int width, height, stride, level_stride;
    std::unique_ptr<GpuBuffer> scaled, levels, smooth_x, smooth_y, counts, order;
  };

  template <class... More>
  void enqueue_windows_of(const Filter& filter, GpuQueue& queue, const GpuKernel& kernel, const GpuGrid& grid,
                          const Rows& from, const Rows& to, const More&... more) {
    const Planes& p = current();
    queue.launch(kernel, grid, from.buffer, from.first, from.stride, *p.scaled, p.stride, p.width, p.height,
                 filter.plan.shape(p.width, p.height), *range_, *p.levels, p.level_stride, *p.smooth_x, *p.smooth_y,
                 *filter.exponent, *filter.row_weight, *filter.disc, to.buffer, to.first, to.stride, more...);
  }
  // The number of rows per group gives groups for the whole GPU, and few atomic operations.
  [[nodiscard]] int rows_of_group(int width, int height) const;
  [[nodiscard]] const Planes& current() const { return planes_[current_]; }
  void make_room_for(Planes& planes, bool smooths, bool orders);
  // True if its windows are summed in an order of all pixels.
  [[nodiscard]] static bool is_far(const Filter& filter);
  void enqueue_order(GpuQueue& queue);

  std::vector<Filter> filters_;
  std::shared_ptr<Gpu> gpu_;
  std::unique_ptr<GpuKernel> to_grey_, count_greys_, find_contrast_, find_range_, to_scaled_, find_levels_, smooth_,
      filter_near_, count_levels_, begin_levels_, list_pixels_, list_rows_, filter_far_;
  std::unique_ptr<GpuBuffer> bins_, contrast_, range_;
  std::vector<Planes> planes_;
  std::size_t current_ = 0;
};

const KernelModule& trilateral_kernels();

}  // namespace octavo
