// Launches: grey, the first blur, S + 2 blurs an octave; the blur that makes image S also writes every second pixel of
// it as the first image of the next octave.

#include "scale_space/pyramid_gpu.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "scale_space/grey.h"

namespace octavo {

namespace {

// As in scale_space_kernels.cl.h.
constexpr int tile_width = 128, tile_height = 16, group_threads = 256;
constexpr int fixed_radii[] = {5, 7, 8, 10, 13};

// Large enough that a copy's own cost does not count.
constexpr std::size_t upload_piece_bytes = std::size_t{512} << 10;

constexpr unsigned pieces(int whole, int piece) { return static_cast<unsigned>((whole + piece - 1) / piece); }
constexpr int row_of_floats(int width) { return (width + 31) / 32 * 32; }

TapsOfKernel for_kernel(const Taps& taps) {
  TapsOfKernel t{};
  t.radius = taps.radius();
  std::memcpy(t.weight, taps.weight.data(), taps.weight.size() * sizeof(float));
  return t;
}

}  // namespace

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

// In pieces: while the device fetches one, the host stages others. One thread copies more slowly than a bus carries.
void PyramidGpu::upload(GpuQueue& queue, const ImageView& image, std::byte* staging, CpuPool& pool) {
  const std::size_t row_bytes = image_bytes_ / static_cast<std::size_t>(height_);
  const int rows_of_piece = static_cast<int>(std::max<std::size_t>(upload_piece_bytes / row_bytes, 1));
  const bool packed = image.stride == static_cast<std::ptrdiff_t>(row_bytes);
  pool.parallel_for(static_cast<int>(pieces(height_, rows_of_piece)), [&](int piece, int) {
    const int first = piece * rows_of_piece, rows = std::min(rows_of_piece, height_ - first);
    const std::size_t offset = static_cast<std::size_t>(first) * row_bytes;
    const std::size_t bytes = static_cast<std::size_t>(rows) * row_bytes;
    if (packed) {
      std::memcpy(staging + offset, image.row(first), bytes);
    } else {
      std::byte* to = staging + offset;
      for (int y = first; y < first + rows; ++y, to += row_bytes) std::memcpy(to, image.row(y), row_bytes);
    }
    queue.upload(*image_, offset, staging + offset, bytes);
  });
}

void PyramidGpu::enqueue_blurs(GpuQueue& queue) {
  const LumaWeights w = luma_weights(luma_, type_);
  const wide image_stride = static_cast<wide>(image_bytes_) / height_;
  queue.launch(*grey_, {{pieces(width_, 256), static_cast<unsigned>(height_), 1}, {256, 1, 1}}, *image_, image_stride,
               channels_, static_cast<int>(bytes_of(type_)), w.red, w.green, w.blue, w.grey, *source_, width_,
               grey_stride_);
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
  queue.launch(blur_kernel(taps.radius(), doubled),
               {{pieces(o.width, tile_width), pieces(o.height, tile_height), 1}, {group_threads, 1, 1}}, in, in_first,
               in_stride, *levels_, out_first, o.stride, o.width, o.height, half_first, next ? next->stride : 0,
               for_kernel(taps));
}

const GpuKernel& PyramidGpu::blur_kernel(int radius, bool doubled) {
  if (doubled) return radius == 5 ? *blur_doubled_5_ : *blur_doubled_any_;
  for (const auto& [fixed, kernel] : blurs_) {
    if (fixed == radius) return *kernel;
  }
  return *blur_any_;
}

}  // namespace octavo
