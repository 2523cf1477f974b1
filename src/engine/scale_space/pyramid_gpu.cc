// The launches are: the conversion to grey, unless the first blur reads grey bytes itself; the first blur; S + 2 blurs
// per octave. The blur that makes image S also writes every second pixel of it as the first image of the next octave.
// The octaves after the first few are too small to fill a GPU, and their time is that of their launches. So the chain
// from octave to octave contains only the S images that lead to the next octave. The two images beyond them, and the
// extrema of the large octaves, run concurrently with it.

#include "engine/scale_space/pyramid_gpu.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>

#include "engine/device/gpu_room.h"
#include "engine/scale_space/grey.h"

namespace octavo {

namespace {

// A radius, and the groups of tall and of middle tiles of a multiprocessor.
struct FixedRadius {
  int radius, tall, middle;
};
#define OCTAVO_RADIUS(radius, tall, middle, flat) {radius, tall, middle},
constexpr FixedRadius fixed_radii[] = {OCTAVO_BLUR_RADII(OCTAVO_RADIUS)};
#undef OCTAVO_RADIUS
#define OCTAVO_RADIUS(radius) radius,
constexpr int bytes_radii[] = {OCTAVO_BYTES_BLUR_RADII(OCTAVO_RADIUS)};
constexpr int doubled_radii[] = {OCTAVO_DOUBLED_BLUR_RADII(OCTAVO_RADIUS)};
#undef OCTAVO_RADIUS
static_assert(std::ranges::max(fixed_radii, {}, &FixedRadius::radius).radius == few_taps);

// Structures as kernels read them.
static_assert(sizeof(OctaveLayout) == 40 && offsetof(OctaveLayout, level_floats) == 8 &&
              offsetof(OctaveLayout, width) == 16 && offsetof(OctaveLayout, first_row) == 36);
static_assert(sizeof(FewTaps) == 56 && sizeof(TapsOfKernel) == 520 && offsetof(TapsOfKernel, weight) == 4);

constexpr int row_of_floats(int width) { return (width + 31) / 32 * 32; }

TapsOfKernel any_taps(const Taps& taps) {
  TapsOfKernel t{};
  t.radius = taps.radius();
  std::memcpy(t.weight, taps.weight.data(), taps.weight.size() * sizeof(float));
  t.repeats = taps.border == Border::repeated ? 1 : 0;
  return t;
}

// Whether a kernel that is compiled for this radius computes this filter.
bool is_filter_of(const Taps& taps, int radius) { return taps.radius() == radius && taps.border == Border::mirrored; }

FewTaps few(const Taps& taps) {
  FewTaps t{};
  std::memcpy(t.weight, taps.weight.data(), taps.weight.size() * sizeof(float));
  return t;
}

std::vector<int> radii_of(std::vector<int> radii) {
  std::erase(radii, 0);
  return radii;
}

}  // namespace

PyramidGpu::PyramidGpu(std::shared_ptr<Gpu> gpu) : gpu_(std::move(gpu)), image_(gpu_) {
  const KernelModule& module = scale_space_kernels();
  grey_ = gpu_->kernel(module, "grey");
  halve_ = gpu_->kernel(module, "halve");
  differences_ = gpu_->kernel(module, "differences");
  blur_any_ = gpu_->kernel(module, "blur_any");
  blur_doubled_any_ = gpu_->kernel(module, "blur_doubled_any");
  const auto kernel = [&](const char* shape, int radius) {
    return gpu_->kernel(module, (shape + std::to_string(radius)).c_str());
  };
  for (const auto& [r, tall, middle] : fixed_radii) {
    blurs_.push_back({r, tall, middle, kernel("blur_tall_", r), kernel("blur_middle_", r), kernel("blur_flat_", r)});
  }
#define OCTAVO_CHAIN(r1, r2, r3, r4) \
  chains_.push_back({radii_of({r1, r2, r3, r4}), gpu_->kernel(module, "blur_chain_" #r1 "_" #r2 "_" #r3 "_" #r4)});
  OCTAVO_BLUR_CHAINS(OCTAVO_CHAIN)
#undef OCTAVO_CHAIN
  for (const int r : bytes_radii) first_blurs_.push_back({r, nullptr, kernel("blur_bytes_", r)});
  for (const int r : doubled_radii) {
    first_blurs_doubled_.push_back({r, kernel("blur_doubled_", r), kernel("blur_doubled_bytes_", r)});
  }
}

void PyramidGpu::prepare(const ImageView& image, Luma luma, ScaleSpacePlan plan) {
  plan_ = std::move(plan);
  layout_.clear();
  width_ = image.width;
  height_ = image.height;
  channels_ = image.channels;
  type_ = image.type;
  order_ = image.order;
  luma_ = luma;
  grey_stride_ = row_of_floats(width_);
  wide floats = 0;
  tiles_ = rows_ = large_octaves_ = 0;
  for (const Size& size : plan_.octaves) {
    OctaveLayout o{};
    o.first = floats;
    o.width = size.width;
    o.height = size.height;
    o.stride = row_of_floats(size.width);
    o.level_floats = static_cast<wide>(o.stride) * size.height;
    o.first_tile = tiles_;
    o.tiles_across = groups_for(size.width, tile_columns);
    o.first_row = rows_;
    floats += o.level_floats * plan_.levels();
    tiles_ += o.tiles_across * groups_for(size.height, tile_rows);
    rows_ += plan_.layers * size.height;
    layout_.push_back(o);
    const bool fills_the_gpu = tiles_ - o.first_tile >= 8 * gpu_->facts().compute_units;
    if (o.first_tile == 0 || fills_the_gpu) large_octaves_ = static_cast<int>(layout_.size());
  }
  make_room(*gpu_, levels_, static_cast<std::size_t>(floats) * sizeof(float));
  image_.prepare(image);
  make_room(*gpu_, source_, static_cast<std::size_t>(grey_stride_) * static_cast<std::size_t>(height_) * sizeof(float));
}

void PyramidGpu::release() {
  levels_.reset();
  image_.release();
  source_.reset();
}

int PyramidGpu::last_radius() const {
  const Taps& taps = plan_.step.back();
  return taps.radius() <= few_taps && is_filter_of(taps, taps.radius()) ? taps.radius() : 0;
}

FewTaps PyramidGpu::last_filter() const { return last_radius() > 0 ? few(plan_.step.back()) : FewTaps{}; }

void PyramidGpu::enqueue_blurs(GpuQueue& queue, LastImage last, const std::function<void(GpuQueue&, int)>& large_done) {
  enqueue_grey(queue);
  enqueue_octaves(queue, last, large_done);
}

void PyramidGpu::enqueue_octaves(GpuQueue& queue, LastImage last,
                                 const std::function<void(GpuQueue&, int)>& large_done) {
  const int highest = plan_.layers + (last == LastImage::made ? 2 : 1);
  enqueue_base(queue);
  for (int octave = 0; octave < static_cast<int>(layout_.size()); ++octave) {
    enqueue_levels(queue, octave, 1, plan_.halved);
    const bool large = octave < large_octaves_;
    GpuQueue& branch = queue.fork(static_cast<std::size_t>(std::min(octave, large_octaves_)));
    enqueue_levels(branch, octave, plan_.halved + 1, highest);
    if (large) large_done(branch, octave);
  }
}

void PyramidGpu::enqueue_images(GpuQueue& queue) {
  enqueue_grey(queue);
  enqueue_base(queue);
  for (int octave = 0; octave < static_cast<int>(layout_.size()); ++octave) {
    enqueue_levels(queue, octave, 1, plan_.halved);
  }
}

void PyramidGpu::enqueue_grey(GpuQueue& queue) {
  if (base_from_bytes() == nullptr) launch_grey(queue, base_is_grey() ? *levels_ : *source_);
}

void PyramidGpu::enqueue_base(GpuQueue& queue) {
  if (base_is_grey()) return;
  const GpuKernel* const from_bytes = base_from_bytes();
  if (from_bytes == nullptr) return enqueue_base_of_grey(queue);
  const LumaWeights w = luma_weights(luma_, type_);
  enqueue_blur(queue, {image_.pixels(), 0, width_}, 0, 0, plan_.base,
               {from_bytes, middle_rows, first_blur_groups, w.grey});
}

void PyramidGpu::enqueue_first(GpuQueue& queue) {
  launch_grey(queue, *source_);
  enqueue_base_of_grey(queue);
}

const GpuKernel* PyramidGpu::base_from_bytes() const {
  const FixedFirstBlur* const fixed = fixed_first_blur();
  return type_ == PixelType::u8 && channels_ == 1 && fixed ? fixed->of_bytes.get() : nullptr;
}

const PyramidGpu::FixedFirstBlur* PyramidGpu::fixed_first_blur() const {
  for (const FixedFirstBlur& blur : plan_.doubled ? first_blurs_doubled_ : first_blurs_) {
    if (is_filter_of(plan_.base, blur.radius)) return &blur;
  }
  return nullptr;
}

// Image 0 of the first octave, the first image in the buffer of the levels, has the rows of the grey image if it is not
// doubled.
void PyramidGpu::launch_grey(GpuQueue& queue, GpuBuffer& to) {
  const LumaWeights w = luma_weights(luma_, type_);
  queue.launch(*grey_, GpuGrid::of_rows(groups_for(width_, grey_columns), height_, grey_threads).starting_early(),
               image_.pixels(), static_cast<wide>(image_.row_bytes()), channels_, red_sample(order_),
               static_cast<int>(bytes_of(type_)), w.red, w.green, w.blue, w.grey, to, width_, height_, grey_stride_);
}

void PyramidGpu::enqueue_base_of_grey(GpuQueue& queue) {
  const Plane grey{*source_, 0, grey_stride_};
  const FixedFirstBlur* const fixed = fixed_first_blur();
  if (!plan_.doubled) {
    enqueue_blur(queue, grey, 0, 0, plan_.base, fitting_blur(plan_.octaves[0], plan_.base));
  } else if (fixed) {
    enqueue_blur(queue, grey, 0, 0, plan_.base, {fixed->of_grey.get(), middle_rows, first_blur_groups, 0});
  } else {
    enqueue_blur(queue, grey, 0, 0, plan_.base, {blur_doubled_any_.get(), 0, 0, 0});
  }
}

void PyramidGpu::enqueue_halved(GpuQueue& queue, int octave) {
  const OctaveLayout &from = layout_[static_cast<std::size_t>(octave) - 1],
                     &o = layout_[static_cast<std::size_t>(octave)];
  queue.launch(*halve_, GpuGrid::of_rows(groups_for(o.width, halve_threads), o.height, halve_threads).starting_early(),
               *levels_, from.first + plan_.halved * from.level_floats, from.stride, o.first, o.stride, o.width,
               o.height);
}

void PyramidGpu::enqueue_differences(GpuQueue& queue, int octave, GpuBuffer& to) {
  const OctaveLayout& o = layout_[static_cast<std::size_t>(octave)];
  queue.launch(*differences_,
               GpuGrid::of_rows(groups_for(o.width, difference_columns), o.height, difference_threads).starting_early(),
               *levels_, o.first, to, first_difference(octave), plan_.levels() - 1, o.level_floats, o.stride, o.width,
               o.height);
}

wide PyramidGpu::first_difference(int octave) const {
  return layout_[static_cast<std::size_t>(octave)].first / plan_.levels() * (plan_.levels() - 1);
}

std::size_t PyramidGpu::difference_floats() const {
  if (layout_.empty()) return 0;
  const int last = static_cast<int>(layout_.size()) - 1;
  return static_cast<std::size_t>(first_difference(last) + layout_.back().level_floats * (plan_.levels() - 1));
}

void PyramidGpu::enqueue_levels(GpuQueue& queue, int octave, int first, int last) {
  const OctaveLayout& o = layout_[static_cast<std::size_t>(octave)];
  for (int level = first; level <= last; ++level) {
    if (const FixedChain* const chain = chain_from(octave, level, last)) {
      enqueue_chain(queue, *chain, octave, level);
      level += chain->blurs() - 1;
      continue;
    }
    const Taps& taps = plan_.step[static_cast<std::size_t>(level) - 1];
    enqueue_blur(queue, {*levels_, o.first + (level - 1) * o.level_floats, o.stride}, octave, level, taps,
                 fitting_blur({o.width, o.height}, taps));
  }
}

const PyramidGpu::FixedChain* PyramidGpu::chain_from(int octave, int level, int last) const {
  const OctaveLayout& o = layout_[static_cast<std::size_t>(octave)];
  for (const FixedChain& chain : chains_) {
    const auto begin = plan_.step.begin() + (level - 1);
    if (level + chain.blurs() - 1 > last ||
        !std::equal(chain.radii.begin(), chain.radii.end(), begin,
                    [](int radius, const Taps& taps) { return is_filter_of(taps, radius); })) {
      continue;
    }
    // In a larger octave single blurs take less time, since they compute fewer pixels twice.
    const int groups = groups_for(o.width, chain_side) * groups_for(o.height, chain_side);
    return groups <= 2 * gpu_->facts().compute_units ? &chain : nullptr;
  }
  return nullptr;
}

void PyramidGpu::enqueue_chain(GpuQueue& queue, const FixedChain& chain, int octave, int level) {
  const OctaveLayout& o = layout_[static_cast<std::size_t>(octave)];
  const OctaveLayout* const next = begun_by(octave, level + chain.blurs() - 1);
  FewTaps taps[most_chained]{};
  for (int i = 0; i < chain.blurs(); ++i) taps[i] = few(plan_.step[static_cast<std::size_t>(level - 1 + i)]);
  queue.launch(*chain.kernel,
               GpuGrid::of_rows(groups_for(o.width, chain_side), groups_for(o.height, chain_side), chain_threads)
                   .starting_early(),
               *levels_, o.first + (level - 1) * o.level_floats, o.level_floats, o.stride, o.width, o.height,
               next ? next->first : wide{0}, next ? next->stride : 0, taps[0], taps[1], taps[2], taps[3]);
}

const OctaveLayout* PyramidGpu::begun_by(int octave, int level) const {
  const std::size_t next = static_cast<std::size_t>(octave) + 1;
  return level == plan_.halved && next < layout_.size() ? &layout_[next] : nullptr;
}

PyramidGpu::Blur PyramidGpu::fitting_blur(Size size, const Taps& taps) const {
  for (const FixedBlur& blur : blurs_) {
    if (!is_filter_of(taps, blur.radius)) continue;
    const int radius = blur.radius;
    const int units = gpu_->facts().compute_units;
    const auto groups = [&](int rows) {
      return groups_for(size.width, columns_of_blur(radius)) * groups_for(size.height, rows);
    };
    // Tall tiles of wide blurs use many registers: few groups run at once, and they need many waves for an even load.
    if (groups(tall_rows) >= (radius < 10 ? 4 : 16) * units) {
      return {blur.tall.get(), tall_rows, blur.tall_at_once, 0};
    }
    if (groups(middle_rows) >= 4 * units) return {blur.middle.get(), middle_rows, blur.middle_at_once, 0};
    return {blur.flat.get(), flat_rows, 0, 0};
  }
  return {blur_any_.get(), 0, 0, 0};
}

int PyramidGpu::whole_tiles(const Blur& blur, int columns, int rows) const {
  const int wave = blur.at_once * gpu_->facts().compute_units, groups = columns * rows;
  if (groups < wave || wave == 0) return rows;
  const int rest = groups % wave, flat = rest * blur.rows / flat_rows;
  return flat <= wave ? (groups - rest) / columns : rows;
}

void PyramidGpu::enqueue_blur(GpuQueue& queue, const Plane& in, int octave, int level, const Taps& taps,
                              const Blur& blur) {
  const OctaveLayout& o = layout_[static_cast<std::size_t>(octave)];
  const OctaveLayout* const next = begun_by(octave, level);
  const wide out_first = o.first + level * o.level_floats, half_first = next ? next->first : 0;
  const auto launch = [&](int columns, int rows_of_tiles, const auto&... last) {
    queue.launch(*blur.kernel,
                 GpuGrid::of_rows(groups_for(o.width, columns), rows_of_tiles, blur_threads).starting_early(),
                 in.buffer, in.first, in.stride, *levels_, out_first, o.stride, o.width, o.height, half_first,
                 next ? next->stride : 0, last...);
  };
  if (blur.rows > 0) {
    const int columns = columns_of_blur(taps.radius()), tiles = groups_for(o.height, blur.rows);
    const int whole = whole_tiles(blur, groups_for(o.width, columns), tiles);
    const int rest = std::max(o.height - whole * blur.rows, 0);
    launch(columns, whole + groups_for(rest, flat_rows), whole, level % 2, blur.of_byte, few(taps));
  } else {
    launch(any_columns, groups_for(o.height, any_rows), any_taps(taps));
  }
}

}  // namespace octavo
