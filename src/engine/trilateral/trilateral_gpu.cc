// The host's part of trilateral_kernels.cl.h.

#include "engine/trilateral/trilateral_gpu.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include "engine/device/gpu_room.h"
#include "engine/scale_space/grey.h"
#include "octavo/error.h"

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
  list_rows_ = kernel("list_rows");
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
  queue->wait();
}

bool TrilateralGpu::is_far(const Filter& filter) {
  return filter.plan.reach > near_reach || filter.plan.order == TrilateralOrder::rows;
}

TrilateralSchedule TrilateralGpu::schedule() const {
  if (filters_.front().plan.order == TrilateralOrder::rows) {
    return {.tile_width = warp, .lanes = warp, .occupancy = filter_far_->occupancy(far_threads)};
  }
  if (is_far(filters_.front())) {
    return {.lanes = warp, .whole_image = true, .occupancy = filter_far_->occupancy(far_threads)};
  }
  return {.tile_width = near_columns,
          .tile_height = near_rows,
          .lanes = warp,
          .occupancy = filter_near_->occupancy(near_threads)};
}

void TrilateralGpu::prepare(const std::vector<Size>& images) {
  const bool orders = std::any_of(filters_.begin(), filters_.end(), is_far);
  const bool smooths =
      std::any_of(filters_.begin(), filters_.end(), [](const Filter& f) { return f.plan.smoothing > 0; });
  planes_.resize(std::max(planes_.size(), images.size()));
  current_ = 0;
  for (std::size_t i = 0; i < images.size(); ++i) {
    const auto [width, height] = images[i];
    if (orders && wide{width} * height > std::numeric_limits<std::int32_t>::max()) {
      throw Error(ErrorCode::invalid_argument,
                  "the image, or its largest octave, has " + std::to_string(width) + "x" + std::to_string(height) +
                      " pixels, more than the 2147483647 that a GPU takes through wide trilateral windows");
    }
    planes_[i].width = width;
    planes_[i].height = height;
    planes_[i].stride = rounded_up(width, warp);
    planes_[i].level_stride = rounded_up(width, 64);
    make_room_for(planes_[i], smooths, orders);
  }
}

void TrilateralGpu::make_room_for(Planes& planes, bool smooths, bool orders) {
  make_room(*gpu_, planes.scaled, floats(planes.stride, planes.height));
  const std::size_t level_bytes = samples(planes.level_stride, planes.height);
  if (!planes.levels || planes.levels->bytes() < level_bytes) {
    const auto queue = gpu_->queue();
    make_cleared_room(*gpu_, *queue, planes.levels, level_bytes);  // whole rows are downloaded
    queue->wait();
  }
  // A kernel needs a buffer as this argument in any case.
  const std::size_t gradients = smooths ? floats(planes.stride, planes.height) : sizeof(float);
  make_room(*gpu_, planes.smooth_x, gradients);
  make_room(*gpu_, planes.smooth_y, gradients);
  if (!orders) return;
  make_room(*gpu_, planes.order, floats(planes.width, planes.height));
  make_room(*gpu_, planes.counts, level_counts * sizeof(std::uint32_t));
}

void TrilateralGpu::release() { planes_.clear(); }

std::size_t TrilateralGpu::level_bytes() const { return samples(current().level_stride, current().height); }

int TrilateralGpu::rows_of_group(int width, int height) const {
  const int units = std::max(gpu_->facts().compute_units, 1);
  return std::clamp(static_cast<int>(wide{groups_for(width, row_threads)} * height / (4 * units)), 1, 64);
}

void TrilateralGpu::enqueue_grey(GpuQueue& queue, ImageOnGpu& image, int channels, ChannelOrder order, PixelType type,
                                 const Rows& to) {
  const Planes& p = current();
  const LumaWeights w = luma_weights(plan().luma, type);
  queue.launch(*to_grey_, GpuGrid::of_rows(groups_for(p.width, row_threads), p.height, row_threads).starting_early(),
               image.pixels(), static_cast<wide>(image.row_bytes()), channels, red_sample(order),
               static_cast<int>(bytes_of(type)), w.red, w.green, w.blue, w.grey, p.width, p.height, to.buffer,
               to.stride);
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
  const Planes& p = current();
  queue.clear(*range_, 0, range_->bytes());
  const int rows = rows_of_group(p.width, p.height);
  queue.launch(*find_range_,
               GpuGrid::of_rows(groups_for(p.width, row_threads), groups_for(p.height, rows), row_threads), from.buffer,
               from.first, from.stride, p.width, p.height, rows, *range_);
}

void TrilateralGpu::enqueue_levels(GpuQueue& queue, const Rows& from, std::size_t filter,
                                   const std::function<void(const char*)>& done) {
  const Planes& p = current();
  queue.launch(*to_scaled_, GpuGrid::of_rows(groups_for(p.width, row_threads), p.height, row_threads).starting_early(),
               from.buffer, from.first, from.stride, p.width, p.height, *range_, *p.scaled, p.stride);
  if (done) done("scaling");
  queue.launch(*find_levels_,
               GpuGrid::of_rows(groups_for(p.width, levels_side), groups_for(p.height, levels_side), levels_threads)
                   .starting_early(),
               *p.scaled, p.stride, p.width, p.height, filters_[filter].plan.shape(p.width, p.height), *range_,
               *p.levels, p.level_stride);
  if (done) done("levels");
  if (!is_far(filters_[filter])) return;
  if (filters_[filter].plan.order == TrilateralOrder::rows) {
    queue.launch(*list_rows_, GpuGrid::of_groups(groups_for(p.width * p.height, far_threads), far_threads), p.width,
                 p.height, *p.order);
  } else {
    enqueue_order(queue);
  }
  if (done) done("order");
}

void TrilateralGpu::enqueue_order(GpuQueue& queue) {
  const Planes& p = current();
  const GpuGrid tiles =
      GpuGrid::of_rows(groups_for(p.width, order_columns), groups_for(p.height, order_rows), order_threads);
  queue.clear(*p.counts, 0, p.counts->bytes());
  queue.launch(*count_levels_, tiles, *p.levels, p.level_stride, p.width, p.height, *p.counts);
  queue.launch(*begin_levels_, GpuGrid::of_groups(1, begin_threads).starting_early(), *p.counts);
  queue.launch(*list_pixels_, tiles.starting_early(), *p.levels, p.level_stride, p.width, p.height, *p.counts,
               *p.order);
}

void TrilateralGpu::enqueue_smoothing(GpuQueue& queue, std::size_t filter,
                                      const std::function<void(const char*)>& done) {
  const Planes& p = current();
  const Filter& f = filters_[filter];
  const TrilateralShape shape = f.plan.shape(p.width, p.height);
  if (shape.smoothing == 0) return;
  queue.launch(*smooth_,
               GpuGrid::of_rows(groups_for(p.width, smooth_columns), groups_for(p.height, smooth_rows), smooth_threads)
                   .starting_early(),
               *p.scaled, p.stride, p.width, p.height, shape, *f.exponent, *f.row_weight, *p.smooth_x, *p.smooth_y);
  if (done) done("smoothing");
}

void TrilateralGpu::enqueue_filter(GpuQueue& queue, const Rows& from, const Rows& to, std::size_t filter,
                                   const std::function<void(const char*)>& done) {
  const Planes& p = current();
  enqueue_smoothing(queue, filter, done);
  const Filter& f = filters_[filter];
  if (is_far(f)) {
    enqueue_windows_of(f, queue, *filter_far_,
                       GpuGrid::of_groups(groups_for(p.width * p.height, far_threads), far_threads).starting_early(),
                       from, to, *p.order);
  } else {
    enqueue_windows_of(
        f, queue, *filter_near_,
        GpuGrid::of_rows(groups_for(p.width, near_columns), groups_for(p.height, near_rows), near_threads)
            .starting_early(),
        from, to);
  }
  if (done) done("windows");
}

void TrilateralGpu::download_levels(GpuQueue& queue, std::uint8_t* to) const {
  const Planes& p = current();
  queue.download(to, *p.levels, 0, level_bytes());
}

}  // namespace octavo
