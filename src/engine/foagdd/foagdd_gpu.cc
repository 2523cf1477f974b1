// The host's part of foagdd_kernels.cl.h.

#include "engine/foagdd/foagdd_gpu.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "engine/device/gpu_room.h"
#include "engine/device/run_and_wait.h"
#include "engine/maths/scalar.h"
#include "engine/scale_space/grey.h"

namespace octavo {

namespace {

using wide = std::int64_t;

// The bytes at the beginning of the list that hold the number of candidates.
constexpr std::size_t list_head = sizeof(FoagddCandidate);

constexpr std::size_t least_capacity = 16384;

// The records as kernels write and read them.
static_assert(sizeof(FoagddCandidate) == 16 && offsetof(FoagddCandidate, row) == 0 &&
              offsetof(FoagddCandidate, column) == 4 && offsetof(FoagddCandidate, key) == 8 &&
              offsetof(FoagddCandidate, stands) == 12);
static_assert(sizeof(FoagddRun) == 12 && offsetof(FoagddRun, down) == 0 && offsetof(FoagddRun, quads) == 4 &&
              offsetof(FoagddRun, count) == 8);
static_assert(sizeof(FoagddFilterShape) == 32 && offsetof(FoagddFilterShape, runs) == 16 &&
              offsetof(FoagddFilterShape, first_tap) == 28);

constexpr int rounded_up(int value, int step) { return (value + step - 1) / step * step; }

std::size_t floats(int stride, int rows) {
  return static_cast<std::size_t>(stride) * static_cast<std::size_t>(rows) * sizeof(float);
}

void add_in_runs(const FoagddFilter& f, FiltersInRuns& all) {
  const std::size_t directions = static_cast<std::size_t>(f.directions);
  FoagddFilterShape shape{.directions = f.directions,
                          .radius = f.radius,
                          .below = f.below,
                          .aside = 0,
                          .runs = 0,
                          .taps = 0,
                          .first_run = static_cast<int>(all.runs.size()),
                          .first_tap = static_cast<int>(all.weights.size() / directions)};
  const std::vector<float> nothing(directions);
  const auto add = [&](int down, int right, const float* weights) {
    if (right == 0 || right % 4 == 1) {
      all.runs.push_back({down, std::max(right - 1, 0) / 4, 0});
      ++shape.runs;
      shape.aside += down == 0 ? 1 : 0;
    }
    ++all.runs.back().count;
    ++shape.taps;
    all.weights.insert(all.weights.end(), weights, weights + f.directions);
  };
  const float* weights = f.weights.data();
  int last_down = -1, last_right = 0;
  for (const auto& [down, right] : f.taps) {
    if (down != last_down) last_right = 0;
    while (right > last_right + 1) add(down, ++last_right, nothing.data());  // taps that are left out before others
    add(down, right, weights);
    weights += f.directions;
    last_down = down;
    last_right = right;
  }
  all.shapes.push_back(shape);
}

template <class T>
std::unique_ptr<GpuBuffer> on_gpu(Gpu& gpu, GpuQueue& queue, const T* items, std::size_t count) {
  std::unique_ptr<GpuBuffer> buffer = gpu.allocate(count * sizeof(T));
  queue.upload(*buffer, 0, items, count * sizeof(T));
  return buffer;
}

std::size_t list_bytes(std::size_t candidates) { return list_head + candidates * sizeof(FoagddCandidate); }

}  // namespace

FoagddGpu::FoagddGpu(const FoagddOptions& options, std::shared_ptr<Gpu> gpu, std::shared_ptr<GpuQueue> queue,
                     ImageOnGpu* shared)
    : options_(options),
      plan_(plan_foagdd(options)),
      gpu_(std::move(gpu)),
      own_image_(gpu_),
      image_(shared != nullptr ? *shared : own_image_),
      mask_(gpu_),
      queue_(std::move(queue)) {
  const bool fixed = plan_.directions == 8;
  fixed_window_ = fixed && plan_.window == 7;
  const auto kernel = [&](const char* name) { return gpu_->kernel(foagdd_kernels(), name); };
  extend_ = kernel("extend");
  respond_ = kernel(fixed ? "respond_8" : "respond_any");
  measure_ = kernel(fixed_window_ ? "measure_8" : "measure_any");
  find_ = kernel("find");
  verify_ = kernel(fixed_window_ ? "verify_8" : "verify_any");
  FiltersInRuns filters;
  for (const FoagddFilter& filter : plan_.scales) add_in_runs(filter, filters);
  filters_ = filters.shapes;
  run_and_wait(*queue_, [&] {
    runs_ = on_gpu(*gpu_, *queue_, filters.runs.data(), filters.runs.size());
    weights_ = on_gpu(*gpu_, *queue_, filters.weights.data(), filters.weights.size());
    if (filters_.size() > 1) verifying_ = on_gpu(*gpu_, *queue_, filters_.data() + 1, filters_.size() - 1);
  });
}

void FoagddGpu::prepare(const ImageView& image, bool masked) {
  width_ = image.width;
  height_ = image.height;
  channels_ = image.channels;
  order_ = image.order;
  type_ = image.type;
  masked_ = masked;
  rows_ = columns_ = 0;
  if (!has_corners(width_, height_)) return;
  const FoagddRegion region = measured_region(width_, height_);
  rows_ = region.row_end - region.row_begin;
  columns_ = region.column_end - region.column_begin;
  extended_stride_ = rounded_up(width_ + 2 * extended_margin, 32);
  response_stride_ = rounded_up(columns_ + 2 * plan_.reach(), 32) + 64;  // groups read whole tiles
  key_stride_ = rounded_up(columns_, 32);
  planes_ = static_cast<wide>(response_stride_) * (rows_ + 2 * plan_.reach());
  image_.prepare(image);
  if (masked) mask_.prepare({nullptr, width_, height_, 1, PixelType::u8, width_});
  make_room(*gpu_, extended_, floats(extended_stride_, height_ + 2 * extended_margin));
  make_cleared_room(*gpu_, *queue_, responses_,
                    static_cast<std::size_t>(planes_) * sizeof(float) * static_cast<std::size_t>(plan_.directions));
  make_room(*gpu_, keys_, floats(key_stride_, rows_));
  make_list(std::max(likely_results(), least_capacity));
}

void FoagddGpu::make_list(std::size_t candidates) {
  if (list_ && capacity_ >= candidates) return;
  make_room(*gpu_, list_, list_bytes(candidates));
  capacity_ = candidates;
  queue_->clear(*list_, 0, list_bytes(candidates));  // downloads may include unused items
}

void FoagddGpu::release() {
  image_.release();
  mask_.release();
  for (auto* buffer : {&extended_, &responses_, &keys_, &list_}) buffer->reset();
  capacity_ = 0;
}

std::size_t FoagddGpu::likely_results() const { return usual_corners(width_, height_); }

std::vector<GpuResultList> FoagddGpu::lists() const { return {{*list_, sizeof(FoagddCandidate), list_head}}; }

bool FoagddGpu::lists_grew(const std::byte* head) { return list_grew(results(head)); }

bool FoagddGpu::list_grew(std::size_t candidates) {
  if (candidates <= capacity_) return false;
  make_list(candidates);
  return true;
}

std::size_t FoagddGpu::results(const std::byte* head) const {
  std::uint32_t count;
  std::memcpy(&count, head, sizeof count);
  return count;
}

void FoagddGpu::enqueue(const StageDone& done) {
  enqueue_measures(done);
  enqueue_candidates(done);
}

void FoagddGpu::enqueue_measures(const StageDone& done) {
  const int width = width_ + 2 * extended_margin, height = height_ + 2 * extended_margin;
  const LumaWeights w = luma_weights(plan_.luma, type_, 255);
  queue_->launch(
      *extend_,
      GpuGrid::of_rows(groups_for(width, extend_pixels * extend_threads), height, extend_threads).starting_early(),
      image_.pixels(), static_cast<wide>(image_.row_bytes()), channels_, red_sample(order_),
      static_cast<int>(bytes_of(type_)), w.red, w.green, w.blue, w.grey, plan_.round_grey ? 1 : 0, width_, height_,
      *extended_, extended_stride_, *list_);
  done("extension");
  const int reach = plan_.reach(), across = columns_ + 2 * reach, down = rows_ + 2 * reach;
  queue_->launch(*respond_,
                 GpuGrid::of_rows(groups_for(across, respond_side), groups_for(down, respond_side), respond_threads)
                     .starting_early(),
                 *extended_, extended_stride_, width, height, extended_margin + measured_border - reach,
                 filters_.front(), *runs_, *weights_, *responses_, planes_, response_stride_, across, down);
  done("responses");
  if (fixed_window_) {
    queue_->launch(
        *measure_,
        GpuGrid::of_rows(groups_for(columns_, 4 * measure_quads), groups_for(rows_, measure_rows), measure_threads)
            .starting_early(),
        *responses_, planes_, response_stride_, columns_, rows_, *keys_, key_stride_);
  } else {
    queue_->launch(
        *measure_,
        GpuGrid::of_rows(groups_for(columns_, measure_any_threads), rows_, measure_any_threads).starting_early(),
        *responses_, planes_, response_stride_, columns_, rows_, plan_.directions, plan_.window, *keys_, key_stride_);
  }
  done("measures");
}

void FoagddGpu::enqueue_candidates(const StageDone& done) {
  const int room = static_cast<int>(capacity_);
  queue_->launch(
      *find_,
      GpuGrid::of_rows(groups_for(columns_, find_pixels * find_threads), rows_ - 2 * suppression_reach, find_threads)
          .starting_early(),
      *keys_, key_stride_, columns_, rows_, plan_.threshold_key, static_cast<int>(masked_),
      masked_ ? mask_.pixels() : image_.pixels(), width_, room, *list_);
  done("candidates");
  if (verifying_) {
    int radius = 0;
    for (std::size_t scale = 1; scale < filters_.size(); ++scale) radius = std::max(radius, filters_[scale].radius);
    const int groups = 32 * std::max(gpu_->facts().compute_units, 1);
    queue_->launch(*verify_, GpuGrid::of_groups(groups, verify_threads).starting_early(), *extended_, extended_stride_,
                   *verifying_, static_cast<int>(filters_.size()) - 1, radius, *runs_, *weights_, plan_.window,
                   plan_.threshold_key, room, *list_);
  }
  done("verification");
}

}  // namespace octavo
