// The host's part of trilateral_kernels.cl.h.

#include "trilateral/trilateral_gpu.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include "device/gpu_room.h"
#include "octavo/error.h"
#include "scale_space/grey.h"

namespace octavo {

namespace {

using wide = std::int64_t;

// The records as kernels read them.
static_assert(sizeof(TrilateralShape) == 16 && offsetof(TrilateralShape, certified) == 0 &&
              offsetof(TrilateralShape, most_levels) == 4 && offsetof(TrilateralShape, reach) == 8 &&
              offsetof(TrilateralShape, smoothing) == 12);
static_assert(static_cast<int>(smooth_threads) == smooth_columns * smooth_rows &&
              static_cast<int>(order_threads) == order_columns * order_rows);

constexpr int warp = 32;

constexpr int rounded_up(int value, int step) { return (value + step - 1) / step * step; }

std::size_t samples(int stride, int rows) { return static_cast<std::size_t>(stride) * static_cast<std::size_t>(rows); }
std::size_t floats(int stride, int rows) { return samples(stride, rows) * sizeof(float); }

}  // namespace

TrilateralGpu::TrilateralGpu(const TrilateralOptions& options, std::shared_ptr<Gpu> gpu)
    : TrilateralGpu(std::vector{plan_trilateral(options)}, std::move(gpu)) {}

TrilateralGpu::TrilateralGpu(std::vector<TrilateralPlan> plans, std::shared_ptr<Gpu> gpu) : gpu_(std::move(gpu)) {
  const auto kernel = [&](const char* name) { return gpu_->kernel(trilateral_kernels(), name); };
  to_grey_ = kernel("to_grey");
  count_greys_ = kernel("count_greys");
  find_contrast_ = kernel("find_contrast");
  find_range_ = kernel("find_range");
  to_scaled_ = kernel("to_scaled");
  find_levels_ = kernel("find_levels");
  smooth_ = kernel("smooth");
  filter_near_ = kernel("filter_near");
  count_levels_ = kernel("count_levels");
  begin_levels_ = kernel("begin_levels");
  list_pixels_ = kernel("list_pixels");
  filter_far_ = kernel("filter_far");
  const auto queue = gpu_->queue();
  const auto upload = [&](std::unique_ptr<GpuBuffer>& buffer, const auto& table) {
    const std::size_t bytes = table.size() * sizeof(table.front());
    buffer = gpu_->allocate(bytes);
    queue->upload(*buffer, 0, table.data(), bytes);
  };
  for (TrilateralPlan& plan : plans) {
    Filter& filter = filters_.emplace_back();
    filter.plan = std::move(plan);
    upload(filter.exponent, filter.plan.exponent);
    upload(filter.row_weight, filter.plan.row_weight);
    upload(filter.disc, filter.plan.disc);
  }
  bins_ = gpu_->allocate(contrast_bins * sizeof(std::uint32_t));
  contrast_ = gpu_->allocate(sizeof(float));
  range_ = gpu_->allocate(range_words * sizeof(std::uint32_t));
  counts_ = gpu_->allocate(level_counts * sizeof(std::uint32_t));
  queue->wait();
}

bool TrilateralGpu::is_far(const Filter& filter) { return filter.plan.reach > near_reach; }

TrilateralSchedule TrilateralGpu::schedule() const {
  if (is_far(filters_.front())) {
    return {.lanes = warp, .whole_image = true, .occupancy = filter_far_->occupancy(far_threads)};
  }
  return {.tile_width = near_columns,
          .tile_height = near_rows,
          .lanes = warp,
          .occupancy = filter_near_->occupancy(near_threads)};
}

void TrilateralGpu::prepare(int width, int height) {
  const bool orders = std::any_of(filters_.begin(), filters_.end(), is_far);
  if (orders && wide{width} * height > std::numeric_limits<std::int32_t>::max()) {
    throw Error(ErrorCode::invalid_argument,
                "the image, or its largest octave, has " + std::to_string(width) + "x" + std::to_string(height) +
                    " pixels, more than the 2147483647 that a GPU takes through wide trilateral windows");
  }
  resize(width, height);
  make_room(*gpu_, scaled_, floats(stride_, height));
  if (!levels_ || levels_->bytes() < level_bytes()) {
    const auto queue = gpu_->queue();
    make_cleared_room(*gpu_, *queue, levels_, level_bytes());  // whole rows are downloaded
    queue->wait();
  }
  // A kernel needs a buffer as this argument in any case.
  const bool smooths =
      std::any_of(filters_.begin(), filters_.end(), [](const Filter& f) { return f.plan.smoothing > 0; });
  make_room(*gpu_, smooth_x_, smooths ? floats(stride_, height) : sizeof(float));
  make_room(*gpu_, smooth_y_, smooths ? floats(stride_, height) : sizeof(float));
  if (orders) make_room(*gpu_, order_, floats(width, height));
}

void TrilateralGpu::resize(int width, int height) {
  width_ = width;
  height_ = height;
  stride_ = rounded_up(width, warp);
  level_stride_ = rounded_up(width, 64);
}

void TrilateralGpu::release() {
  for (auto* buffer : {&scaled_, &levels_, &smooth_x_, &smooth_y_, &order_}) buffer->reset();
}

std::size_t TrilateralGpu::level_bytes() const { return samples(level_stride_, height_); }

int TrilateralGpu::rows_of_group(int width, int height) const {
  const int units = std::max(gpu_->facts().compute_units, 1);
  return std::clamp(static_cast<int>(wide{groups_for(width, row_threads)} * height / (4 * units)), 1, 64);
}

void TrilateralGpu::enqueue_grey(GpuQueue& queue, ImageOnGpu& image, int channels, PixelType type, const Rows& to) {
  const LumaWeights w = luma_weights(plan().luma, type);
  queue.launch(*to_grey_, GpuGrid::of_rows(groups_for(width_, row_threads), height_, row_threads).starting_early(),
               image.pixels(), static_cast<wide>(image.row_bytes()), channels, static_cast<int>(bytes_of(type)), w.red,
               w.green, w.blue, w.grey, width_, height_, to.buffer, to.stride);
}

void TrilateralGpu::enqueue(GpuQueue& queue, const Rows& from, const Rows& to,
                            const std::function<void(const char*)>& done) {
  enqueue_range(queue, from);
  if (done) done("range");
  enqueue_levels(queue, from, 0, done);
  enqueue_filter(queue, from, to, 0, done);
}

void TrilateralGpu::enqueue_contrast(GpuQueue& queue, const Rows& grey, int width, int height) {
  queue.clear(*bins_, 0, bins_->bytes());
  const int rows = rows_of_group(width, height);
  queue.launch(*count_greys_, GpuGrid::of_rows(groups_for(width, row_threads), groups_for(height, rows), row_threads),
               grey.buffer, grey.first, grey.stride, width, height, rows, *bins_);
  queue.launch(*find_contrast_, GpuGrid::of_groups(1, contrast_threads).starting_early(), *bins_, wide{width} * height,
               *contrast_, *range_);
}

void TrilateralGpu::enqueue_range(GpuQueue& queue, const Rows& from) {
  queue.clear(*range_, 0, range_->bytes());
  const int rows = rows_of_group(width_, height_);
  queue.launch(*find_range_, GpuGrid::of_rows(groups_for(width_, row_threads), groups_for(height_, rows), row_threads),
               from.buffer, from.first, from.stride, width_, height_, rows, *range_);
}

void TrilateralGpu::enqueue_levels(GpuQueue& queue, const Rows& from, std::size_t filter,
                                   const std::function<void(const char*)>& done) {
  queue.launch(*to_scaled_, GpuGrid::of_rows(groups_for(width_, row_threads), height_, row_threads).starting_early(),
               from.buffer, from.first, from.stride, width_, height_, *range_, *scaled_, stride_);
  if (done) done("scaling");
  queue.launch(*find_levels_,
               GpuGrid::of_rows(groups_for(width_, levels_side), groups_for(height_, levels_side), levels_threads)
                   .starting_early(),
               *scaled_, stride_, width_, height_, filters_[filter].plan.shape(width_, height_), *range_, *levels_,
               level_stride_);
  if (done) done("levels");
  if (!is_far(filters_[filter])) return;
  enqueue_order(queue);
  if (done) done("order");
}

void TrilateralGpu::enqueue_order(GpuQueue& queue) {
  const GpuGrid tiles =
      GpuGrid::of_rows(groups_for(width_, order_columns), groups_for(height_, order_rows), order_threads);
  queue.clear(*counts_, 0, counts_->bytes());
  queue.launch(*count_levels_, tiles, *levels_, level_stride_, width_, height_, *counts_);
  queue.launch(*begin_levels_, GpuGrid::of_groups(1, begin_threads).starting_early(), *counts_);
  queue.launch(*list_pixels_, tiles.starting_early(), *levels_, level_stride_, width_, height_, *counts_, *order_);
}

void TrilateralGpu::enqueue_smoothing(GpuQueue& queue, std::size_t filter,
                                      const std::function<void(const char*)>& done) {
  const Filter& f = filters_[filter];
  const TrilateralShape shape = f.plan.shape(width_, height_);
  if (shape.smoothing == 0) return;
  queue.launch(*smooth_,
               GpuGrid::of_rows(groups_for(width_, smooth_columns), groups_for(height_, smooth_rows), smooth_threads)
                   .starting_early(),
               *scaled_, stride_, width_, height_, shape, *f.exponent, *f.row_weight, *smooth_x_, *smooth_y_);
  if (done) done("smoothing");
}

void TrilateralGpu::enqueue_filter(GpuQueue& queue, const Rows& from, const Rows& to, std::size_t filter,
                                   const std::function<void(const char*)>& done) {
  enqueue_smoothing(queue, filter, done);
  const Filter& f = filters_[filter];
  if (is_far(f)) {
    enqueue_windows_of(f, queue, *filter_far_,
                       GpuGrid::of_groups(groups_for(width_ * height_, far_threads), far_threads).starting_early(),
                       from, to, *order_);
  } else {
    enqueue_windows_of(f, queue, *filter_near_,
                       GpuGrid::of_rows(groups_for(width_, near_columns), groups_for(height_, near_rows), near_threads)
                           .starting_early(),
                       from, to);
  }
  if (done) done("windows");
}

void TrilateralGpu::download_levels(GpuQueue& queue, std::uint8_t* to) const {
  queue.download(to, *levels_, 0, level_bytes());
}

}  // namespace octavo
