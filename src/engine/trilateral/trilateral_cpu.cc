#include "engine/trilateral/trilateral_cpu.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/trilateral/trilateral_cpu.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// The two includes above must come first.
#include "engine/core/scratch.h"
#include "engine/device/stage_clock.h"
#include "engine/maths/scalar.h"
#include "engine/scale_space/source_per_isa.h"
#include "engine/trilateral/trilateral_per_isa.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

int lanes_of_vector() { return static_cast<int>(hn::MaxLanes(vector::FloatTag())); }

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace octavo {

HWY_EXPORT(grey_row);
HWY_EXPORT(range_of_row);
HWY_EXPORT(scale_row);
HWY_EXPORT(levels_of_tile);
HWY_EXPORT(smooth_tile);
HWY_EXPORT(lanes_of_vector);
HWY_EXPORT(windows_in_order);

namespace {

using namespace maths;
#include "engine/trilateral/trilateral_maths.h"

constexpr int tile_width = 128, tile_height = 16;
constexpr int rows_at_once = 32;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

void widen(GradientRange& all, const GradientRange& by) {
  all = {std::min(all.lowest, by.lowest), std::max(all.highest, by.highest)};
}

}  // namespace

TrilateralCpu::TrilateralCpu(std::vector<TrilateralPlan> plans, Isa isa, CpuPool& pool)
    : isa_(std::move(isa)), pool_(&pool) {
  for (TrilateralPlan& plan : plans) {
    margin_ = std::max(margin_, plan.reach);
    Filter& filter = filters_.emplace_back();
    for (int i = -plan.reach; i <= plan.reach; ++i) {
      const std::size_t distance = index(std::abs(i));
      filter.steps.push_back(static_cast<float>(i));
      filter.exponents.push_back(plan.exponent[distance]);
      filter.row_weights.push_back(plan.row_weight[distance]);
      filter.discs.push_back(plan.disc[distance]);
    }
    filter.plan = std::move(plan);
  }
}

MemoryNeed TrilateralCpu::memory_for(int width, int height) const {
  const bool smooths =
      std::any_of(filters_.begin(), filters_.end(), [](const Filter& f) { return f.plan.smoothing > 0; });
  const std::uint64_t planes = Plane::bytes_of(width + 2 * margin_, height + 2 * margin_) +
                               index(width) * index(height) + (smooths ? 2 : 0) * Plane::bytes_of(width, height);
  const std::uint64_t threads = static_cast<std::uint64_t>(pool_->threads());
  return {{planes, 0}, {planes + threads * scratch_of_thread, 0}};
}

template <class Work>
void TrilateralCpu::in_chunks(int count, const Work& work) {
  pool_->parallel_for((count + rows_at_once - 1) / rows_at_once, [&](int i, int worker) {
    work(i * rows_at_once, std::min((i + 1) * rows_at_once, count), i, worker);
  });
}

template <class Work>
void TrilateralCpu::in_tiles(int width, int height, const Work& work) {
  workers_.resize(std::max(workers_.size(), index(pool_->threads())));
  const int across = (image_.width + width - 1) / width, down = (image_.height + height - 1) / height;
  pool_->parallel_for(across * down, [&](int i, int worker) {
    const int x = i % across * width, y = i / across * height;
    work(TrilateralTile{x, y, std::min(width, image_.width - x), std::min(height, image_.height - y)},
         workers_[index(worker)]);
  });
}

void TrilateralCpu::make_grey(const ImageView& image, Luma luma, Plane& grey) {
  grey.resize(image.width, image.height);
  const auto row_of = pick(HWY_DISPATCH_TABLE(grey_row), isa_);
  in_chunks(image.height, [&](int begin, int end, int, int) {
    for (int y = begin; y < end; ++y) row_of(image, luma, y, 0, image.width, grey.row(y), 1);
  });
}

float TrilateralCpu::contrast(const Plane& grey) {
  histograms_.assign(index(pool_->threads()), {});
  in_chunks(grey.height(), [&](int begin, int end, int, int worker) {
    for (int y = begin; y < end; ++y) histograms_[index(worker)].add(grey.row(y), grey.width());
  });
  for (std::size_t i = 1; i < histograms_.size(); ++i) histograms_[0].add(histograms_[i]);
  return histograms_[0].contrast();
}

float TrilateralCpu::sigma_r_of_gradients(const Plane& grey) {
  const int height = grey.height();
  ranges_.resize(index((height + rows_at_once - 1) / rows_at_once));
  const auto range_of = pick(HWY_DISPATCH_TABLE(range_of_row), isa_);
  in_chunks(height, [&](int begin, int end, int chunk, int) {
    GradientRange all{trilateral_far, 0};
    for (int y = begin; y < end; ++y) {
      widen(all, range_of(grey.row(y), grey.row(std::min(y + 1, height - 1)), grey.width()));
    }
    ranges_[index(chunk)] = all;
  });
  GradientRange all = ranges_.front();
  for (const GradientRange& range : ranges_) widen(all, range);
  return sigma_r_of(all.lowest, all.highest);
}

void TrilateralCpu::begin(const Plane& grey, float sigma_r, std::size_t plan, StageClock& clock) {
  grey_ = &grey;
  is_smoothed_ = false;
  unscale_ = unscale_of(sigma_r);
  scale(scale_of(sigma_r));
  clock.lap("scaling");
  find_levels(filters_[plan].plan.shape(grey.width(), grey.height()).most_levels, scale_of(sigma_r) > 0);
  clock.lap("levels");
}

void TrilateralCpu::scale(float by) {
  const int margin = margin_, width = grey_->width(), height = grey_->height();
  scaled_.resize(width + 2 * margin, height + 2 * margin);
  const auto scale = pick(HWY_DISPATCH_TABLE(scale_row), isa_);
  in_chunks(scaled_.height(), [&](int begin, int end, int, int) {
    for (int i = begin; i < end; ++i) {
      float* const row = scaled_.row(i);
      const int y = i - margin;
      if (y < 0 || y >= height) {
        std::fill_n(row, scaled_.width(), trilateral_far);
        continue;
      }
      std::fill_n(row, margin, trilateral_far);
      scale(grey_->row(y), width, by, row + margin);
      std::fill_n(row + margin + width, margin, trilateral_far);
    }
  });
  image_ = {scaled_.row(margin) + margin, scaled_.stride(), width, height};
}

void TrilateralCpu::find_levels(int most, bool scaled) {
  const int width = image_.width;
  levels_.width = width;
  levels_.height = image_.height;
  levels_.level.assign(index(width) * index(image_.height), 0);
  if (!scaled) return;
  const auto levels_of = pick(HWY_DISPATCH_TABLE(levels_of_tile), isa_);
  in_tiles(128, 32, [&](const TrilateralTile& tile, TrilateralScratch& scratch) {
    levels_of(image_, tile, most, scratch, levels_.level.data() + std::ptrdiff_t{tile.y} * width + tile.x, width);
  });
}

void TrilateralCpu::smooth(const TrilateralPlan& plan) {
  for (Plane* plane : {&gx_, &gy_}) plane->resize(image_.width, image_.height);
  const auto smooth_of = pick(HWY_DISPATCH_TABLE(smooth_tile), isa_);
  in_tiles(64, 32, [&](const TrilateralTile& tile, TrilateralScratch& scratch) {
    smooth_of(image_, tile, plan, scratch, gx_.row(tile.y) + tile.x, gy_.row(tile.y) + tile.x, gx_.stride());
  });
}

void TrilateralCpu::filter(std::size_t plan, Plane& out, StageClock& clock) {
  const Filter& filter = filters_[plan];
  is_smoothed_ = filter.plan.smoothing > 0;
  if (is_smoothed_) {
    smooth(filter.plan);
    clock.lap("smoothing");
  }
  out.resize(image_.width, image_.height);
  const std::ptrdiff_t middle = filter.plan.reach;
  const TrilateralWindows job{.image = image_,
                              .shape = filter.plan.shape(image_.width, image_.height),
                              .tables = {filter.steps.data() + middle, filter.exponents.data() + middle,
                                         filter.row_weights.data() + middle, filter.discs.data() + middle},
                              .levels = levels_.level.data(),
                              .gx = is_smoothed_ ? &gx_ : nullptr,
                              .gy = is_smoothed_ ? &gy_ : nullptr,
                              .grey = grey_,
                              .unscale = unscale_,
                              .out = &out};
  const auto windows_of = pick(HWY_DISPATCH_TABLE(windows_in_order), isa_);
  in_tiles(tile_width, tile_height,
           [&](const TrilateralTile& tile, TrilateralScratch& scratch) { windows_of(job, tile, scratch); });
  clock.lap("windows");
}

bool TrilateralCpu::smoothed_gradients(Plane& sizes) const {
  if (!is_smoothed_) return false;
  sizes.resize(image_.width, image_.height);
  for (int y = 0; y < image_.height; ++y) {
    const float *const gx = gx_.row(y), *const gy = gy_.row(y);
    for (int x = 0; x < image_.width; ++x) sizes.row(y)[x] = magnitude(gx[x], gy[x]) * unscale_;
  }
  return true;
}

namespace {

class CpuEngine : public TrilateralEngine {
 public:
  CpuEngine(const TrilateralOptions& options, Isa isa, CpuPool pool)
      : luma_(options.luma), isa_(isa), pool_(std::move(pool)), filter_({plan_trilateral(options)}, isa, pool_) {}

  void filter(const ImageView& image, Plane& out, std::vector<StageTime>* times) override {
    StageClock clock(times);
    pool_.stage("grey");
    filter_.make_grey(image, luma_, grey_);
    clock.lap("grey");
    const float sigma_r = filter_.sigma_r_of_gradients(grey_);
    clock.lap("range");
    pool_.stage("levels");
    filter_.begin(grey_, sigma_r, 0, clock);
    pool_.stage("windows");
    filter_.filter(0, out, clock);
  }

  void fetch_levels(TrilateralLevels& out) override { out = filter_.levels(); }

  [[nodiscard]] MemoryNeed memory_for(const ImageView& image) const override {
    const MemoryBytes grey{Plane::bytes_of(image.width, image.height), 0};
    return filter_.memory_for(image.width, image.height) + MemoryNeed{grey, grey};
  }

  [[nodiscard]] TrilateralSchedule schedule() const override {
    return {.tile_width = tile_width,
            .tile_height = tile_height,
            .lanes = pick(HWY_DISPATCH_TABLE(lanes_of_vector), isa_)(),
            .runs = true};
  }

 private:
  Luma luma_;
  Isa isa_;
  CpuPool pool_;
  TrilateralCpu filter_;
  Plane grey_;
};

}  // namespace

std::unique_ptr<TrilateralEngine> make_trilateral_cpu(const TrilateralOptions& options, Isa isa, CpuPool pool) {
  return std::make_unique<CpuEngine>(options, std::move(isa), std::move(pool));
}

}  // namespace octavo
#endif
