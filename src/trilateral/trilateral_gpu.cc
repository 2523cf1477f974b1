// One submission an image: upload, all steps, download. No step comes back to the host: the scale, which follows from
// the gradients of the whole image, stays on the device.

#include "trilateral/trilateral_gpu.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "device/gpu_room.h"
#include "device/image_on_gpu.h"
#include "device/stage_marks_gpu.h"
#include "octavo/error.h"
#include "scale_space/grey.h"

namespace octavo {

namespace {

using wide = std::int64_t;

// As in trilateral_kernels.cl.h.
constexpr int tile_width = 32, tile_height = 16, threads_of_tile = 256, threads_of_far = 128;
constexpr int near_reach = 11, most_levels = 22;
constexpr int warp = 32;
constexpr int most_rows_of_groups = 65535;
constexpr int contrast_bins = 4096;  // as in contrast_maths.h

constexpr unsigned pieces(int whole, int piece) { return static_cast<unsigned>((whole + piece - 1) / piece); }
// As many as CUDA takes.
unsigned rows_of_groups(int rows) { return static_cast<unsigned>(std::min(rows, most_rows_of_groups)); }
constexpr int rounded_up(int value, int step) { return (value + step - 1) / step * step; }

std::size_t samples(int stride, int rows) { return static_cast<std::size_t>(stride) * static_cast<std::size_t>(rows); }
std::size_t floats(int stride, int rows) { return samples(stride, rows) * sizeof(float); }

}  // namespace

TrilateralGpu::TrilateralGpu(const TrilateralOptions& options, std::shared_ptr<Gpu> gpu)
    : TrilateralGpu(std::vector{plan_trilateral(options)}, std::move(gpu)) {}

TrilateralGpu::TrilateralGpu(std::vector<TrilateralPlan> plans, std::shared_ptr<Gpu> gpu) : gpu_(std::move(gpu)) {
  const auto kernel = [&](const char* name) { return gpu_->kernel(trilateral_kernels(), name); };
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
  range_ = gpu_->allocate(4 * sizeof(std::uint32_t));
  counts_ = gpu_->allocate((most_levels + 2) * sizeof(std::uint32_t));
  queue->wait();
}

bool TrilateralGpu::is_far(const Filter& filter) { return filter.plan.reach > near_reach; }

TrilateralSchedule TrilateralGpu::schedule() const {
  if (is_far(filters_.front())) {
    return {.lanes = warp, .whole_image = true, .occupancy = filter_far_->occupancy(threads_of_far)};
  }
  return {.tile_width = tile_width,
          .tile_height = tile_height,
          .lanes = warp,
          .occupancy = filter_near_->occupancy(threads_of_tile)};
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
    make_cleared_room(*gpu_, *queue, levels_, level_bytes());  // whole rows are fetched
    queue->wait();
  }
  // A kernel's argument is a buffer in any case.
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
  return std::max(std::clamp(static_cast<int>(wide{pieces(width, 256)} * height / (4 * units)), 1, 64),
                  static_cast<int>(pieces(height, most_rows_of_groups)));
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
  queue.launch(*count_greys_, {{pieces(width, 256), pieces(height, rows), 1}, {256, 1, 1}}, grey.buffer, grey.first,
               grey.stride, width, height, rows, *bins_);
  queue.launch(*find_contrast_, {{1, 1, 1}, {256, 1, 1}, true}, *bins_, wide{width} * height, *contrast_, *range_);
}

void TrilateralGpu::enqueue_range(GpuQueue& queue, const Rows& from) {
  queue.clear(*range_, 0, range_->bytes());
  const int rows = rows_of_group(width_, height_);
  queue.launch(*find_range_, {{pieces(width_, 256), pieces(height_, rows), 1}, {256, 1, 1}}, from.buffer, from.first,
               from.stride, width_, height_, rows, *range_);
}

void TrilateralGpu::enqueue_levels(GpuQueue& queue, const Rows& from, std::size_t filter,
                                   const std::function<void(const char*)>& done) {
  queue.launch(*to_scaled_, {{pieces(width_, 256), rows_of_groups(height_), 1}, {256, 1, 1}, true}, from.buffer,
               from.first, from.stride, width_, height_, *range_, *scaled_, stride_);
  if (done) done("scaling");
  queue.launch(*find_levels_, {{pieces(width_, 32) * pieces(height_, 32), 1, 1}, {256, 1, 1}, true}, *scaled_, stride_,
               width_, height_, filters_[filter].plan.shape(width_, height_), *range_, *levels_, level_stride_);
  if (done) done("levels");
  if (!is_far(filters_[filter])) return;
  enqueue_order(queue);
  if (done) done("order");
}

void TrilateralGpu::enqueue_order(GpuQueue& queue) {
  GpuGrid tiles{{pieces(width_, 32) * pieces(height_, 8), 1, 1}, {256, 1, 1}};
  queue.clear(*counts_, 0, counts_->bytes());
  queue.launch(*count_levels_, tiles, *levels_, level_stride_, width_, height_, *counts_);
  queue.launch(*begin_levels_, {{1, 1, 1}, {warp, 1, 1}, true}, *counts_);
  tiles.early = true;
  queue.launch(*list_pixels_, tiles, *levels_, level_stride_, width_, height_, *counts_, *order_);
}

void TrilateralGpu::enqueue_smoothing(GpuQueue& queue, std::size_t filter,
                                      const std::function<void(const char*)>& done) {
  const Filter& f = filters_[filter];
  const TrilateralShape shape = f.plan.shape(width_, height_);
  if (shape.smoothing == 0) return;
  queue.launch(*smooth_, {{pieces(width_, 32) * pieces(height_, 8), 1, 1}, {256, 1, 1}, true}, *scaled_, stride_,
               width_, height_, shape, *f.exponent, *f.row_weight, *smooth_x_, *smooth_y_);
  if (done) done("smoothing");
}

void TrilateralGpu::enqueue_filter(GpuQueue& queue, const Rows& from, const Rows& to, std::size_t filter,
                                   const std::function<void(const char*)>& done) {
  enqueue_smoothing(queue, filter, done);
  const Filter& f = filters_[filter];
  if (is_far(f)) {
    const auto groups = static_cast<unsigned>((wide{width_} * height_ + threads_of_far - 1) / threads_of_far);
    enqueue_windows_of(f, queue, *filter_far_, {{groups, 1, 1}, {threads_of_far, 1, 1}, true}, from, to, *order_);
  } else {
    enqueue_windows_of(
        f, queue, *filter_near_,
        {{pieces(width_, tile_width) * pieces(height_, tile_height), 1, 1}, {threads_of_tile, 1, 1}, true}, from, to);
  }
  if (done) done("windows");
}

void TrilateralGpu::download_levels(GpuQueue& queue, std::uint8_t* to) const {
  queue.download(to, *levels_, 0, level_bytes());
}

namespace {

class GpuEngine : public TrilateralEngine {
 public:
  GpuEngine(const TrilateralOptions& options, std::shared_ptr<Gpu> gpu, CpuPool pool)
      : gpu_(std::move(gpu)),
        pool_(std::move(pool)),
        queue_(gpu_->queue()),
        marks_(*queue_),
        to_grey_(gpu_->kernel(trilateral_kernels(), "to_grey")),
        filter_(options, gpu_),
        image_(gpu_) {}

  void filter(const ImageView& image, Plane& out, std::vector<StageTime>* times) override {
    out.resize(image.width, image.height);
    try {
      prepare(image);
      marks_.begin(times != nullptr);
      image_.upload(*queue_, image, pool_);
      marks_.mark("upload");
      const LumaWeights w = luma_weights(filter_.plan().luma, image.type);
      queue_->launch(*to_grey_, {{pieces(image.width, 256), rows_of_groups(image.height), 1}, {256, 1, 1}, true},
                     image_.pixels(), static_cast<wide>(image_.row_bytes()), image.channels,
                     static_cast<int>(bytes_of(image.type)), w.red, w.green, w.blue, w.grey, image.width, image.height,
                     *grey_, stride_);
      marks_.mark("grey");
      filter_.enqueue(*queue_, {*grey_, 0, stride_}, {*filtered_, 0, stride_},
                      [&](const char* step) { marks_.mark(step); });
      const std::size_t row = floats(image.width, 1);
      queue_->download(fetched_->data(), *filtered_, 0, floats(stride_, image.height));
      marks_.mark("download");
      queue_->wait();
      const std::byte* from = fetched_->data();
      for (int y = 0; y < image.height; ++y, from += floats(stride_, 1)) std::memcpy(out.row(y), from, row);
    } catch (...) {
      // What did not fit shall not stand in the way of what will.
      image_.release();
      for (auto* buffer : {&grey_, &filtered_}) buffer->reset();
      filter_.release();
      throw;
    }
    if (times == nullptr) return;
    for (StageTime& time : marks_.times()) times->push_back(std::move(time));
  }

  void fetch_levels(TrilateralLevels& out) override {
    std::vector<std::uint8_t> rows(filter_.level_bytes());
    filter_.download_levels(*queue_, rows.data());
    queue_->wait();
    out.width = width_;
    out.height = height_;
    out.level.resize(samples(width_, height_));
    for (int y = 0; y < height_; ++y) {
      std::copy_n(rows.data() + samples(filter_.level_stride(), y), width_, out.level.data() + samples(width_, y));
    }
  }

  [[nodiscard]] TrilateralSchedule schedule() const override { return filter_.schedule(); }

 private:
  void prepare(const ImageView& image) {
    width_ = image.width;
    height_ = image.height;
    stride_ = rounded_up(image.width, warp);
    const std::size_t plane_bytes = floats(stride_, image.height);
    filter_.prepare(image.width, image.height);
    image_.prepare(image);
    make_room(*gpu_, grey_, plane_bytes);
    make_cleared_room(*gpu_, *queue_, filtered_, plane_bytes);
    make_room(*gpu_, fetched_, plane_bytes);
  }

  std::shared_ptr<Gpu> gpu_;
  CpuPool pool_;
  std::unique_ptr<GpuQueue> queue_;
  StageMarks marks_;
  std::unique_ptr<GpuKernel> to_grey_;
  TrilateralGpu filter_;
  ImageOnGpu image_;
  std::unique_ptr<GpuBuffer> grey_, filtered_;
  std::unique_ptr<GpuPinned> fetched_;
  int width_ = 0, height_ = 0, stride_ = 0;
};

}  // namespace

std::unique_ptr<TrilateralEngine> make_trilateral_gpu(const TrilateralOptions& options, std::shared_ptr<Gpu> gpu,
                                                      CpuPool pool) {
  return std::make_unique<GpuEngine>(options, std::move(gpu), std::move(pool));
}

}  // namespace octavo
