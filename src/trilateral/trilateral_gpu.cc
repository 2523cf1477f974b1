// One submission an image: upload, all steps, download. No step comes back to the host: the scale, which follows from
// the gradients of the whole image, stays on the device.

#include "trilateral/trilateral_gpu.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "device/gpu_room.h"
#include "scale_space/grey.h"

namespace octavo {

namespace {

using wide = std::int64_t;

constexpr int tile_width = 32, tile_height = 16, threads_of_tile = 128;  // as in trilateral_kernels.cl.h
constexpr int near_reach = 18;
constexpr int warp = 32;
constexpr int contrast_bins = 4096;  // as in contrast_maths.h

constexpr unsigned pieces(int whole, int piece) { return static_cast<unsigned>((whole + piece - 1) / piece); }
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
  queue->wait();
}

const GpuKernel& TrilateralGpu::filter_kernel(const TrilateralPlan& plan) const {
  return plan.reach <= near_reach ? *filter_near_ : *filter_far_;
}

TrilateralSchedule TrilateralGpu::schedule() const {
  return {tile_width, tile_height, warp, false, filter_kernel(plan()).occupancy(threads_of_tile)};
}

void TrilateralGpu::prepare(int width, int height) {
  resize(width, height);
  make_room(*gpu_, scaled_, floats(stride_, height));
  make_room(*gpu_, levels_, level_bytes());
  // A kernel's argument is a buffer in any case.
  const bool smooths =
      std::any_of(filters_.begin(), filters_.end(), [](const Filter& f) { return f.plan.smoothing > 0; });
  make_room(*gpu_, smooth_x_, smooths ? floats(stride_, height) : sizeof(float));
  make_room(*gpu_, smooth_y_, smooths ? floats(stride_, height) : sizeof(float));
}

void TrilateralGpu::resize(int width, int height) {
  width_ = width;
  height_ = height;
  stride_ = rounded_up(width, warp);
  level_stride_ = rounded_up(width, 64);
}

void TrilateralGpu::release() {
  for (auto* buffer : {&scaled_, &levels_, &smooth_x_, &smooth_y_}) buffer->reset();
}

std::size_t TrilateralGpu::level_bytes() const { return samples(level_stride_, height_); }

int TrilateralGpu::rows_of_group(int width, int height) const {
  const int units = std::max(gpu_->facts().compute_units, 1);
  return std::clamp(static_cast<int>(wide{pieces(width, 256)} * height / (4 * units)), 1, 64);
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
  queue.launch(*to_scaled_, {{pieces(width_, 256), static_cast<unsigned>(height_), 1}, {256, 1, 1}, true}, from.buffer,
               from.first, from.stride, width_, *range_, *scaled_, stride_);
  if (done) done("scaling");
  queue.launch(*find_levels_, {{pieces(width_, 32), pieces(height_, 32), 1}, {256, 1, 1}, true}, *scaled_, stride_,
               width_, height_, filters_[filter].plan.shape(width_, height_), *range_, *levels_, level_stride_);
  if (done) done("levels");
}

void TrilateralGpu::enqueue_filter(GpuQueue& queue, const Rows& from, const Rows& to, std::size_t filter,
                                   const std::function<void(const char*)>& done) {
  const Filter& f = filters_[filter];
  const TrilateralShape shape = f.plan.shape(width_, height_);
  if (shape.smoothing > 0) {
    queue.launch(*smooth_, {{pieces(width_, 32), pieces(height_, 8), 1}, {256, 1, 1}, true}, *scaled_, stride_, width_,
                 height_, shape, *f.exponent, *f.row_weight, *smooth_x_, *smooth_y_);
    if (done) done("smoothing");
  }
  enqueue_windows_of(f, queue, filter_kernel(f.plan),
                     {{pieces(width_, tile_width), pieces(height_, tile_height), 1}, {threads_of_tile, 1, 1}, true},
                     from, to);
  if (done) done("windows");
}

void TrilateralGpu::download_levels(GpuQueue& queue, std::uint8_t* to) const {
  queue.download(to, *levels_, 0, level_bytes());
}

namespace {

class GpuEngine : public TrilateralEngine {
 public:
  GpuEngine(const TrilateralOptions& options, std::shared_ptr<Gpu> gpu)
      : gpu_(std::move(gpu)),
        queue_(gpu_->queue()),
        to_grey_(gpu_->kernel(trilateral_kernels(), "to_grey")),
        filter_(options, gpu_) {}

  void filter(const ImageView& image, Plane& out, std::vector<StageTime>* times) override {
    out.resize(image.width, image.height);
    try {
      prepare(image);
      marks_.clear();
      timed_ = times != nullptr;
      mark("");
      upload(image);
      mark("upload");
      const LumaWeights w = luma_weights(filter_.plan().luma, image.type);
      queue_->launch(*to_grey_, {{pieces(image.width, 256), static_cast<unsigned>(image.height), 1}, {256, 1, 1}, true},
                     *image_, static_cast<wide>(row_bytes_), image.channels, static_cast<int>(bytes_of(image.type)),
                     w.red, w.green, w.blue, w.grey, image.width, *grey_, stride_);
      mark("grey");
      filter_.enqueue(*queue_, {*grey_, 0, stride_}, {*filtered_, 0, stride_}, [&](const char* step) { mark(step); });
      const std::size_t row = floats(image.width, 1);
      queue_->download(fetched_->data(), *filtered_, 0, floats(stride_, image.height));
      mark("download");
      queue_->wait();
      const std::byte* from = fetched_->data();
      for (int y = 0; y < image.height; ++y, from += floats(stride_, 1)) std::memcpy(out.row(y), from, row);
    } catch (...) {
      // What did not fit shall not stand in the way of what will.
      for (auto* buffer : {&image_, &grey_, &filtered_}) buffer->reset();
      filter_.release();
      throw;
    }
    if (times == nullptr) return;
    for (std::size_t i = 1; i < marks_.size(); ++i) {
      const auto& [stage, event] = marks_[i];
      times->push_back({std::string(stage), event->milliseconds_since(*marks_[i - 1].second)});
    }
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
    row_bytes_ =
        static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.channels) * bytes_of(image.type);
    const std::size_t image_bytes = row_bytes_ * static_cast<std::size_t>(image.height);
    const std::size_t plane_bytes = floats(stride_, image.height);
    make_room(*gpu_, image_, image_bytes);
    make_room(*gpu_, staging_, image_bytes);
    make_room(*gpu_, grey_, plane_bytes);
    make_room(*gpu_, filtered_, plane_bytes);
    make_room(*gpu_, fetched_, plane_bytes);
    filter_.prepare(image.width, image.height);
  }

  void upload(const ImageView& image) {
    const std::size_t bytes = row_bytes_ * static_cast<std::size_t>(image.height);
    if (image.stride == static_cast<std::ptrdiff_t>(row_bytes_) && gpu_->reads_directly(image.data, bytes)) {
      queue_->upload(*image_, 0, image.data, bytes);
      return;
    }
    std::byte* to = staging_->data();
    for (int y = 0; y < image.height; ++y, to += row_bytes_) std::memcpy(to, image.row(y), row_bytes_);
    queue_->upload(*image_, 0, staging_->data(), bytes);
  }

  void mark(std::string_view stage) {
    if (timed_) marks_.emplace_back(stage, queue_->event());
  }

  std::shared_ptr<Gpu> gpu_;
  std::unique_ptr<GpuQueue> queue_;
  std::unique_ptr<GpuKernel> to_grey_;
  TrilateralGpu filter_;
  std::unique_ptr<GpuBuffer> image_, grey_, filtered_;
  std::unique_ptr<GpuPinned> staging_, fetched_;
  std::size_t row_bytes_ = 0;
  int width_ = 0, height_ = 0, stride_ = 0;
  bool timed_ = false;
  std::vector<std::pair<std::string_view, std::unique_ptr<GpuEvent>>> marks_;
};

}  // namespace

std::unique_ptr<TrilateralEngine> make_trilateral_gpu(const TrilateralOptions& options, std::shared_ptr<Gpu> gpu) {
  return std::make_unique<GpuEngine>(options, std::move(gpu));
}

}  // namespace octavo
