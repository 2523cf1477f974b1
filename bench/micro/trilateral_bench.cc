// Times the windows of the trilateral filter on one thread, by the library's schedule and by others:
//   runs, then order   the library's: runs of one level as long as a vector where they lie, the rest in order of levels
//   order              all pixels of a tile in order of their levels
//   order, gathered    the same, each tap gathered by the instruction for it
//   in place           vectors of neighbours whose windows are masked
//
// usage: trilateral_bench [options of Google Benchmark] PGM...

#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "micro/trilateral_bench.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// The two includes above must come first.
#include "bench/gpu/images.h"
#include "engine/device/cpu_isa.h"
#include "engine/maths/scalar.h"
#include "engine/scale_space/scale_space_reference.h"
#include "engine/trilateral/trilateral_per_isa.h"
#include "octavo/image.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

constexpr int lanes = static_cast<int>(hn::MaxLanes(vector::FloatTag()));

/// Loads taps of pixels at any places by the gather instruction.
struct Gathered {
  const float* origin;
  const std::int32_t* offsets;
  HWY_INLINE void load(std::ptrdiff_t distance, vector::float_v* four) const {
    const auto indices = hn::LoadU(vector::IntTag(), offsets);
    for (int i = 0; i < 4; ++i) four[i] = hn::GatherIndex(vector::FloatTag(), origin + distance + i, indices);
  }
};

/// Sums the windows of `count` pixels of a tile, y << 16 | x, by whatever loads them.
template <class Load>
void sum_pixels(const TrilateralWindows& job, const TrilateralTile& tile, const std::int32_t* pixels, int count,
                const Load& load) {
  const vector::FloatTag d;
  const TrilateralImage& image = job.image;
  HWY_ALIGN float values[lanes], reaches[lanes], xs[lanes], ys[lanes], means[lanes];
  HWY_ALIGN std::int32_t offsets[lanes];
  float largest = 0, smallest = 1e9f;
  for (int i = 0; i < lanes; ++i) {
    const int pixel = pixels[std::min(i, count - 1)], x = tile.x + (pixel & 0xffff), y = tile.y + (pixel >> 16);
    const float* const at = image.row(y) + x;
    const int level = job.levels[std::ptrdiff_t{y} * image.width + x];
    offsets[i] = static_cast<std::int32_t>((pixel >> 16) * image.stride + (pixel & 0xffff));
    values[i] = at[0];
    reaches[i] = static_cast<float>(reach_of_level(level, job.shape.certified, job.shape.reach));
    largest = std::max(largest, reaches[i]);
    smallest = std::min(smallest, reaches[i]);
    xs[i] = x + 1 < image.width ? at[1] - at[0] : 0;
    ys[i] = y + 1 < image.height ? at[image.stride] - at[0] : 0;
  }
  const auto from = load(image.row(tile.y) + tile.x, offsets);
  const auto r = hn::Load(d, reaches), value = hn::Load(d, values), gx = hn::Load(d, xs), gy = hn::Load(d, ys);
  const int reach = static_cast<int>(largest);
  hn::Store(largest == smallest ? mean_difference<false>(from, image.stride, job.tables, reach, r, value, gx, gy)
                                : mean_difference<true>(from, image.stride, job.tables, reach, r, value, gx, gy),
            d, means);
  for (int i = 0; i < count; ++i) {
    const int x = tile.x + (pixels[i] & 0xffff), y = tile.y + (pixels[i] >> 16);
    job.out->row(y)[x] = scalar::clipped(scalar::fma(means[i], job.unscale, job.grey->row(y)[x]));
  }
}

/// A tile's pixels, by falling level if `ordered`, into `scratch.order`.
inline void list_pixels(const TrilateralWindows& job, const TrilateralTile& tile, bool ordered,
                        TrilateralScratch& scratch) {
  const auto place = [&](int x, int y) {
    const int level = job.levels[std::ptrdiff_t{tile.y + y} * job.image.width + tile.x + x];
    return ordered ? most_trilateral_levels - level : 0;
  };
  int begin[most_trilateral_levels + 2] = {};
  for (int y = 0; y < tile.height; ++y) {
    for (int x = 0; x < tile.width; ++x) ++begin[place(x, y) + 1];
  }
  for (int i = 1; i <= most_trilateral_levels; ++i) begin[i] += begin[i - 1];
  scratch.order.resize(static_cast<std::size_t>(tile.width) * static_cast<std::size_t>(tile.height));
  for (int y = 0; y < tile.height; ++y) {
    for (int x = 0; x < tile.width; ++x) scratch.order[static_cast<std::size_t>(begin[place(x, y)]++)] = y << 16 | x;
  }
}

inline void all_in_order(const TrilateralWindows& job, const TrilateralTile& tile, TrilateralScratch& scratch) {
  list_pixels(job, tile, true, scratch);
  const int count = static_cast<int>(scratch.order.size());
  for (int i = 0; i < count; i += lanes) {
    sum_pixels(job, tile, scratch.order.data() + i, std::min(lanes, count - i),
               [](const float* origin, const std::int32_t* offsets) {
                 return Anywhere{origin, offsets};
               });
  }
}

inline void in_order_gathered(const TrilateralWindows& job, const TrilateralTile& tile, TrilateralScratch& scratch) {
  list_pixels(job, tile, true, scratch);
  const int count = static_cast<int>(scratch.order.size());
  for (int i = 0; i < count; i += lanes) {
    sum_pixels(job, tile, scratch.order.data() + i, std::min(lanes, count - i),
               [](const float* origin, const std::int32_t* offsets) {
                 return Gathered{origin, offsets};
               });
  }
}

inline void in_place(const TrilateralWindows& job, const TrilateralTile& tile, TrilateralScratch& scratch) {
  list_pixels(job, tile, false, scratch);
  for (int y = 0; y < tile.height; ++y) {
    for (int x = 0; x < tile.width; x += lanes) {
      sum_pixels(job, tile, scratch.order.data() + y * tile.width + x, std::min(lanes, tile.width - x),
                 [](const float* origin, const std::int32_t* offsets) { return SideBySide{origin + offsets[0]}; });
    }
  }
}

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace octavo {

HWY_EXPORT(windows_in_order);
HWY_EXPORT(all_in_order);
HWY_EXPORT(in_order_gathered);
HWY_EXPORT(in_place);

namespace {

using namespace maths;
#include "engine/trilateral/trilateral_maths.h"

// An image after all steps of the filter but the last.
class Prepared {
 public:
  Prepared(const ImageView& image, double sigma) : plan_(plan_trilateral({.spatial_sigma = sigma})) {
    const auto engine = make_trilateral_engine({.spatial_sigma = sigma}, {.name = "cpu"});
    engine->filter(image, expected_);
    engine->fetch_levels(levels_);
    reference::grey(image, plan_.luma, grey_);
    out_.resize(image.width, image.height);
    const float sigma_r = sigma_r_of_grey();
    const int margin = plan_.reach;
    scaled_.resize(image.width + 2 * margin, image.height + 2 * margin);
    for (int y = -margin; y < image.height + margin; ++y) {
      for (int x = -margin; x < image.width + margin; ++x) {
        const bool inside = x >= 0 && x < image.width && y >= 0 && y < image.height;
        scaled_.row(y + margin)[x + margin] = inside ? grey_.row(y)[x] * scale_of(sigma_r) : trilateral_far;
      }
    }
    for (int i = -plan_.reach; i <= plan_.reach; ++i) {
      const auto distance = static_cast<std::size_t>(std::abs(i));
      steps_.push_back(static_cast<float>(i));
      exponents_.push_back(plan_.exponent[distance]);
      row_weights_.push_back(plan_.row_weight[distance]);
      discs_.push_back(plan_.disc[distance]);
    }
    job_ = {.image = {scaled_.row(margin) + margin, scaled_.stride(), image.width, image.height},
            .shape = plan_.shape(image.width, image.height),
            .tables = {steps_.data() + margin, exponents_.data() + margin, row_weights_.data() + margin,
                       discs_.data() + margin},
            .levels = levels_.level.data(),
            .gx = nullptr,
            .gy = nullptr,
            .grey = &grey_,
            .unscale = unscale_of(sigma_r),
            .out = &out_};
  }
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  template <class Windows>
  void run(const Windows& windows) {
    for (int y = 0; y < levels_.height; y += 16) {
      for (int x = 0; x < levels_.width; x += 128) {
        windows(job_, {x, y, std::min(128, levels_.width - x), std::min(16, levels_.height - y)}, scratch_);
      }
    }
  }

  [[nodiscard]] bool right() const {
    for (int y = 0; y < levels_.height; ++y) {
      if (!std::equal(out_.row(y), out_.row(y) + levels_.width, expected_.row(y))) return false;
    }
    return true;
  }

 private:
  float sigma_r_of_grey() const {
    float lowest = 1e9f, highest = 0;
    for (int y = 0; y < grey_.height(); ++y) {
      for (int x = 0; x < grey_.width(); ++x) {
        const float here = grey_.row(y)[x];
        const float size = magnitude(x + 1 < grey_.width() ? grey_.row(y)[x + 1] - here : 0,
                                     y + 1 < grey_.height() ? grey_.row(y + 1)[x] - here : 0);
        lowest = std::min(lowest, size);
        highest = std::max(highest, size);
      }
    }
    return sigma_r_of(lowest, highest);
  }

  TrilateralPlan plan_;
  Plane grey_, scaled_, expected_, out_;
  TrilateralLevels levels_;
  std::vector<float> steps_, exponents_, row_weights_;
  std::vector<std::int32_t> discs_;
  TrilateralScratch scratch_;
  TrilateralWindows job_{};
};

template <class Windows>
void add(const std::string& name, const std::shared_ptr<Prepared>& prepared, Windows windows) {
  const auto run = [prepared, windows](benchmark::State& state) {
    for (auto _ : state) prepared->run(windows);
    if (!prepared->right()) state.SkipWithError("the answer is wrong");
  };
  benchmark::RegisterBenchmark(name.c_str(), run)->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace octavo

int main(int argc, char** argv) {
  using namespace octavo;
  benchmark::Initialize(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    const std::string file = argv[i];
    const Image image = bench::read_pgm(file);
    for (const double sigma : {1.6, 2.9}) {  // below 3, where gradients are not smoothed
      const auto prepared = std::make_shared<Prepared>(image.view(), sigma);
      for (const Isa& isa : supported_isas()) {
        const std::string subject =
            file.substr(file.rfind('/') + 1) + ", sigma " + std::to_string(sigma).substr(0, 3) + ", " + isa.name + ": ";
        add(subject + "runs, then order", prepared, pick(HWY_DISPATCH_TABLE(windows_in_order), isa));
        add(subject + "order", prepared, pick(HWY_DISPATCH_TABLE(all_in_order), isa));
        add(subject + "order, gathered", prepared, pick(HWY_DISPATCH_TABLE(in_order_gathered), isa));
        add(subject + "in place", prepared, pick(HWY_DISPATCH_TABLE(in_place), isa));
      }
    }
  }
  benchmark::RunSpecifiedBenchmarks();
}
#endif
