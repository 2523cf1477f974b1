#include "trilateral/trilateral_cpu.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trilateral/trilateral_cpu.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// The two above must come first.
#include "core/stage_clock.h"
#include "maths/scalar.h"
#include "scale_space/source_per_isa.h"
#include "trilateral/trilateral_per_isa.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

int lanes_of_vector() { return static_cast<int>(hn::MaxLanes(vector::Reals())); }

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
#include "trilateral/trilateral_maths.h"

constexpr int tile_width = 128, tile_height = 16;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

class CpuEngine : public TrilateralEngine {
 public:
  CpuEngine(const TrilateralOptions& options, Isa isa, CpuPool pool)
      : plan_(plan_trilateral(options)), isa_(std::move(isa)), pool_(std::move(pool)) {
    for (int i = -plan_.reach; i <= plan_.reach; ++i) {
      const std::size_t distance = index(std::abs(i));
      steps_.push_back(static_cast<float>(i));
      exponents_.push_back(plan_.exponent[distance]);
      row_weights_.push_back(plan_.row_weight[distance]);
      discs_.push_back(plan_.disc[distance]);
    }
  }

  void filter(const ImageView& image, Plane& out, std::vector<StageTime>* times) override {
    StageClock clock(times);
    workers_.resize(std::max(workers_.size(), index(pool_.threads())));
    make_grey(image);
    clock.lap("grey");
    const real sigma_r = sigma_r_of_grey();
    clock.lap("range");
    scale(scale_of(sigma_r));
    clock.lap("scaling");
    find_levels(scale_of(sigma_r) > 0);
    clock.lap("levels");
    if (plan_.smoothing > 0) {
      smooth();
      clock.lap("smoothing");
    }
    out.resize(image.width, image.height);
    sum_windows(unscale_of(sigma_r), out);
    clock.lap("windows");
  }

  void fetch_levels(TrilateralLevels& out) override { out = levels_; }

  [[nodiscard]] TrilateralSchedule schedule() const override {
    return {tile_width, tile_height, pick(HWY_DISPATCH_TABLE(lanes_of_vector), isa_)(), true};
  }

 private:
  template <class Work>
  void in_chunks(int count, int chunk, const Work& work) {
    pool_.parallel_for((count + chunk - 1) / chunk,
                       [&](int i, int) { work(i * chunk, std::min((i + 1) * chunk, count), i); });
  }

  template <class Work>
  void in_tiles(int width, int height, const Work& work) {
    const int across = (grey_.width() + width - 1) / width, down = (grey_.height() + height - 1) / height;
    pool_.parallel_for(across * down, [&](int i, int worker) {
      const int x = i % across * width, y = i / across * height;
      work(TrilateralTile{x, y, std::min(width, grey_.width() - x), std::min(height, grey_.height() - y)},
           workers_[index(worker)]);
    });
  }

  void make_grey(const ImageView& image) {
    grey_.resize(image.width, image.height);
    const auto row_of = pick(HWY_DISPATCH_TABLE(grey_row), isa_);
    in_chunks(image.height, rows_at_once, [&](int begin, int end, int) {
      for (int y = begin; y < end; ++y) row_of(image, plan_.luma, y, 0, image.width, grey_.row(y), 1);
    });
  }

  real sigma_r_of_grey() {
    const int height = grey_.height();
    ranges_.resize(index((height + rows_at_once - 1) / rows_at_once));
    const auto range_of = pick(HWY_DISPATCH_TABLE(range_of_row), isa_);
    in_chunks(height, rows_at_once, [&](int begin, int end, int chunk) {
      TrilateralRange all{trilateral_far, 0};
      for (int y = begin; y < end; ++y) {
        widen(all, range_of(grey_.row(y), grey_.row(std::min(y + 1, height - 1)), grey_.width()));
      }
      ranges_[index(chunk)] = all;
    });
    TrilateralRange all = ranges_.front();
    for (const TrilateralRange& range : ranges_) widen(all, range);
    return sigma_r_of(all.lowest, all.highest);
  }

  static void widen(TrilateralRange& all, const TrilateralRange& by) {
    all = {std::min(all.lowest, by.lowest), std::max(all.highest, by.highest)};
  }

  void scale(float by) {
    const int margin = plan_.reach, width = grey_.width(), height = grey_.height();
    scaled_.resize(width + 2 * margin, height + 2 * margin);
    const auto scale = pick(HWY_DISPATCH_TABLE(scale_row), isa_);
    in_chunks(scaled_.height(), rows_at_once, [&](int begin, int end, int) {
      for (int i = begin; i < end; ++i) {
        float* const row = scaled_.row(i);
        const int y = i - margin;
        if (y < 0 || y >= height) {
          std::fill_n(row, scaled_.width(), trilateral_far);
          continue;
        }
        std::fill_n(row, margin, trilateral_far);
        scale(grey_.row(y), width, by, row + margin);
        std::fill_n(row + margin + width, margin, trilateral_far);
      }
    });
    image_ = {scaled_.row(margin) + margin, scaled_.stride(), width, height};
  }

  void find_levels(bool scaled) {
    const int width = grey_.width(), height = grey_.height();
    levels_.width = width;
    levels_.height = height;
    levels_.level.assign(index(width) * index(height), 0);
    if (!scaled) return;
    const auto levels_of = pick(HWY_DISPATCH_TABLE(levels_of_tile), isa_);
    const int most = plan_.shape(width, height).most_levels;
    in_tiles(128, 32, [&](const TrilateralTile& tile, TrilateralScratch& scratch) {
      levels_of(image_, tile, most, scratch, levels_.level.data() + std::ptrdiff_t{tile.y} * width + tile.x, width);
    });
  }

  void smooth() {
    for (Plane* plane : {&gx_, &gy_}) plane->resize(grey_.width(), grey_.height());
    const auto smooth_of = pick(HWY_DISPATCH_TABLE(smooth_tile), isa_);
    in_tiles(64, 32, [&](const TrilateralTile& tile, TrilateralScratch& scratch) {
      smooth_of(image_, tile, plan_, scratch, gx_.row(tile.y) + tile.x, gy_.row(tile.y) + tile.x, gx_.stride());
    });
  }

  void sum_windows(float unscale, Plane& out) {
    const std::ptrdiff_t middle = plan_.reach;
    const TrilateralWindows job{.image = image_,
                                .shape = plan_.shape(grey_.width(), grey_.height()),
                                .tables = {steps_.data() + middle, exponents_.data() + middle,
                                           row_weights_.data() + middle, discs_.data() + middle},
                                .levels = levels_.level.data(),
                                .gx = plan_.smoothing > 0 ? &gx_ : nullptr,
                                .gy = plan_.smoothing > 0 ? &gy_ : nullptr,
                                .grey = &grey_,
                                .unscale = unscale,
                                .out = &out};
    const auto windows_of = pick(HWY_DISPATCH_TABLE(windows_in_order), isa_);
    in_tiles(tile_width, tile_height,
             [&](const TrilateralTile& tile, TrilateralScratch& scratch) { windows_of(job, tile, scratch); });
  }

  static constexpr int rows_at_once = 32;

  TrilateralPlan plan_;
  Isa isa_;
  CpuPool pool_;
  std::vector<float> steps_, exponents_, row_weights_;  // the plan's tables, from −reach to reach
  std::vector<std::int32_t> discs_;
  std::deque<TrilateralScratch> workers_;
  std::vector<TrilateralRange> ranges_;
  Plane grey_, scaled_, gx_, gy_;
  TrilateralImage image_{};
  TrilateralLevels levels_;
};

}  // namespace

std::unique_ptr<TrilateralEngine> make_trilateral_cpu(const TrilateralOptions& options, Isa isa, CpuPool pool) {
  return std::make_unique<CpuEngine>(options, std::move(isa), std::move(pool));
}

}  // namespace octavo
#endif
