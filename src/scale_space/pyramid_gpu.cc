// Launches: grey, the first blur, S + 2 blurs an octave; the blur that makes image S also writes every second pixel of
// it as the first image of the next octave.

#include "scale_space/pyramid_gpu.h"

#include <cstring>
#include <string>
#include <utility>

#include "scale_space/grey.h"

namespace octavo {

namespace {

// As in scale_space_kernels.cl.h.
constexpr int columns_of_any_tile = 128;
constexpr int fixed_radii[] = {5, 7, 8, 10, 13};

constexpr unsigned pieces(int whole, int piece) { return static_cast<unsigned>((whole + piece - 1) / piece); }
constexpr int row_of_floats(int width) { return (width + 31) / 32 * 32; }

TapsOfKernel any_taps(const Taps& taps) {
  TapsOfKernel t{};
  t.radius = taps.radius();
  std::memcpy(t.weight, taps.weight.data(), taps.weight.size() * sizeof(float));
  return t;
}

}  // namespace

FewTaps few(const Taps& taps) {
  FewTaps t{};
  std::memcpy(t.weight, taps.weight.data(), taps.weight.size() * sizeof(float));
  return t;
}

void make_room(Gpu& gpu, std::unique_ptr<GpuBuffer>& buffer, std::size_t bytes) {
  if (buffer && buffer->bytes() >= bytes) return;
  buffer.reset();
  buffer = gpu.allocate(bytes);
}

PyramidGpu::PyramidGpu(std::shared_ptr<Gpu> gpu) : gpu_(std::move(gpu)) {
  const KernelModule& module = scale_space_kernels();
  grey_ = gpu_->kernel(module, "grey");
  blur_any_ = gpu_->kernel(module, "blur_any");
  blur_doubled_any_ = gpu_->kernel(module, "blur_doubled_any");
  blur_doubled_5_ = gpu_->kernel(module, "blur_doubled_5");
  for (const int radius : fixed_radii) {
    blurs_.emplace_back(radius, gpu_->kernel(module, ("blur_" + std::to_string(radius)).c_str()));
  }
}

void PyramidGpu::prepare(const ImageView& image, const SiftOptions& options, ScaleSpacePlan plan) {
  plan_ = std::move(plan);
  layout_.clear();
  width_ = image.width;
  height_ = image.height;
  channels_ = image.channels;
  type_ = image.type;
  luma_ = options.luma;
  grey_stride_ = row_of_floats(width_);
  wide floats = 0;
  tiles_ = rows_ = 0;
  for (const Size& size : plan_.octaves) {
    OctaveLayout o{};
    o.first = floats;
    o.width = size.width;
    o.height = size.height;
    o.stride = row_of_floats(size.width);
    o.level_floats = static_cast<wide>(o.stride) * size.height;
    o.first_tile = tiles_;
    o.tiles_across = static_cast<int>(pieces(size.width, tile_columns));
    o.first_row = rows_;
    floats += o.level_floats * plan_.levels();
    tiles_ += o.tiles_across * static_cast<int>(pieces(size.height, tile_rows));
    rows_ += plan_.layers * size.height;
    layout_.push_back(o);
  }
  image_bytes_ = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_) *
                 static_cast<std::size_t>(channels_) * bytes_of(type_);
  make_room(*gpu_, levels_, static_cast<std::size_t>(floats) * sizeof(float));
  make_room(*gpu_, image_, image_bytes_);
  make_room(*gpu_, source_, static_cast<std::size_t>(grey_stride_) * static_cast<std::size_t>(height_) * sizeof(float));
}

void PyramidGpu::release() {
  levels_.reset();
  image_.reset();
  source_.reset();
}

void PyramidGpu::stage(const ImageView& image, std::byte* staging) const {
  const std::size_t row_bytes = image_bytes_ / static_cast<std::size_t>(height_);
  if (image.stride == static_cast<std::ptrdiff_t>(row_bytes)) {
    std::memcpy(staging, image.data, image_bytes_);
    return;
  }
  for (int y = 0; y < height_; ++y, staging += row_bytes) std::memcpy(staging, image.row(y), row_bytes);
}

void PyramidGpu::enqueue_upload(GpuQueue& queue, const std::byte* staging) {
  queue.upload(*image_, 0, staging, image_bytes_);
}

void PyramidGpu::enqueue_grey(GpuQueue& queue) {
  const LumaWeights w = luma_weights(luma_, type_);
  const wide image_stride = static_cast<wide>(image_bytes_) / height_;
  queue.launch(*grey_, {{pieces(width_, 256), static_cast<unsigned>(height_), 1}, {256, 1, 1}}, *image_, image_stride,
               channels_, static_cast<int>(bytes_of(type_)), w.red, w.green, w.blue, w.grey, *source_, width_,
               grey_stride_);
}

void PyramidGpu::enqueue_blurs(GpuQueue& queue) {
  for (std::size_t o = 0; o < layout_.size(); ++o) {
    const int octave = static_cast<int>(o);
    if (o == 0) enqueue_blur(queue, *source_, 0, grey_stride_, octave, 0, plan_.base, plan_.doubled);
    for (int level = 1; level < plan_.levels(); ++level) {
      const wide before = layout_[o].first + (level - 1) * layout_[o].level_floats;
      enqueue_blur(queue, *levels_, before, layout_[o].stride, octave, level,
                   plan_.step[static_cast<std::size_t>(level) - 1], false);
    }
  }
}

void PyramidGpu::enqueue_blur(GpuQueue& queue, const GpuBuffer& in, wide in_first, int in_stride, int octave, int level,
                              const Taps& taps, bool doubled) {
  const OctaveLayout& o = layout_[static_cast<std::size_t>(octave)];
  const bool halves = level == plan_.layers && static_cast<std::size_t>(octave) + 1 < layout_.size();
  const OctaveLayout* next = halves ? &layout_[static_cast<std::size_t>(octave) + 1] : nullptr;
  const wide out_first = o.first + level * o.level_floats, half_first = next ? next->first : 0;
  const auto launch = [&](const GpuKernel& kernel, int columns, const auto&... last) {
    queue.launch(kernel, {{pieces(o.width, columns), pieces(o.height, blur_rows), 1}, {blur_threads, 1, 1}}, in,
                 in_first, in_stride, *levels_, out_first, o.stride, o.width, o.height, half_first,
                 next ? next->stride : 0, last...);
  };
  const int radius = taps.radius();
  if (const GpuKernel* kernel = kernel_of_radius(radius, doubled)) {
    launch(*kernel, columns_of_blur(radius), level % 2, few(taps));
  } else {
    launch(doubled ? *blur_doubled_any_ : *blur_any_, columns_of_any_tile, any_taps(taps));
  }
}

const GpuKernel* PyramidGpu::kernel_of_radius(int radius, bool doubled) const {
  if (doubled) return radius == 5 ? blur_doubled_5_.get() : nullptr;
  for (const auto& [fixed, kernel] : blurs_) {
    if (fixed == radius) return kernel.get();
  }
  return nullptr;
}

}  // namespace octavo
