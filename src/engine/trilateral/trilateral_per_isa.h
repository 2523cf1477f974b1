// The steps of the trilateral filter on vectors of pixels. Included by files that Highway compiles once per instruction
// set.

#if defined(OCTAVO_TRILATERAL_PER_ISA) == defined(HWY_TARGET_TOGGLE)
#ifdef OCTAVO_TRILATERAL_PER_ISA
#undef OCTAVO_TRILATERAL_PER_ISA
#else
#define OCTAVO_TRILATERAL_PER_ISA
#endif

#include <algorithm>

#include "engine/maths/per_isa.h"
#include "engine/trilateral/trilateral_tile.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

namespace scalar {
#include "engine/trilateral/trilateral_maths.h"
}  // namespace scalar
namespace vector {
#include "engine/trilateral/trilateral_maths.h"
}  // namespace vector

/// The least and the largest gradient of a row of `count` pixels. `below` is the next row, or the same row if there is
/// none. Neither row is read beyond `count`.
inline GradientRange range_of_row(const float* row, const float* below, int count) {
  using namespace vector;
  const FloatTag d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  GradientRange range{scalar::magnitude(0, below[count - 1] - row[count - 1]), 0};
  range.highest = range.lowest;
  float_v lowest = splat(range.lowest), highest = lowest;
  int x = 0;
  for (; x + lanes < count; x += lanes) {
    const float_v here = hn::LoadU(d, row + x);
    const float_v size = magnitude(hn::LoadU(d, row + x + 1) - here, hn::LoadU(d, below + x) - here);
    lowest = minimum(lowest, size);
    highest = maximum(highest, size);
  }
  range.lowest = hn::GetLane(hn::MinOfLanes(d, lowest));
  range.highest = hn::GetLane(hn::MaxOfLanes(d, highest));
  for (; x + 1 < count; ++x) {
    const float size = scalar::magnitude(row[x + 1] - row[x], below[x] - row[x]);
    range.lowest = std::min(range.lowest, size);
    range.highest = std::max(range.highest, size);
  }
  return range;
}

inline void scale_row(const float* row, int count, float scale, float* out) {
  for (int x = 0; x < count; ++x) out[x] = row[x] * scale;
}

/// The gradients of a tile and of `margin` pixels around it. Rows are whole vectors. Outside the image `size` is
/// `nothing` and the components are 0. Components are not written if their pointers are null.
inline void gradients_of_tile(const TrilateralImage& image, const TrilateralTile& tile, int margin, float nothing,
                              Plane& size, Plane* gx, Plane* gy) {
  using namespace vector;
  const FloatTag d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int columns = tile.width + 2 * margin, rows = tile.height + 2 * margin, left = tile.x - margin;
  for (int i = 0; i < rows; ++i) {
    float* const out = size.row(i);
    float* const xs = gx != nullptr ? gx->row(i) : nullptr;
    float* const ys = gy != nullptr ? gy->row(i) : nullptr;
    const auto nothing_in = [&](int begin, int end) {
      for (int x = std::max(begin, 0); x < std::min(end, columns); ++x) {
        out[x] = nothing;
        if (xs != nullptr) xs[x] = 0;
        if (ys != nullptr) ys[x] = 0;
      }
    };
    const int y = tile.y - margin + i;
    if (y < 0 || y >= image.height) {
      nothing_in(0, columns);
      continue;
    }
    const float* const row = image.row(y) + left;
    const float* const below = y + 1 < image.height ? image.row(y + 1) + left : row;
    for (int x = 0; x < columns; x += lanes) {
      const float_v here = hn::LoadU(d, row + x);
      const float_v dx = hn::LoadU(d, row + x + 1) - here, dy = hn::LoadU(d, below + x) - here;
      hn::StoreU(magnitude(dx, dy), d, out + x);
      if (xs != nullptr) hn::StoreU(dx, d, xs + x);
      if (ys != nullptr) hn::StoreU(dy, d, ys + x);
    }
    const int last = image.width - 1 - left;
    if (last < columns) {
      out[last] = scalar::magnitude(0, below[last] - row[last]);
      if (xs != nullptr) xs[last] = 0;
    }
    nothing_in(0, -left);
    nothing_in(last + 1, columns);
  }
}

/// Each pixel's maximum (or minimum) over 3×3 pixels, for rows `first` … `end` − 1 of length `columns`. The outermost
/// rows and columns get no result.
template <class Pick>
HWY_INLINE void spread(const Pick& pick, const Plane& in, int begin, int end, int columns, float* between, Plane& out) {
  const vector::FloatTag d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = begin; i < end; ++i) {
    const float *const above = in.row(i - 1), *const here = in.row(i), *const below = in.row(i + 1);
    for (int x = 0; x < columns; x += lanes) {
      hn::StoreU(pick(pick(hn::LoadU(d, above + x), hn::LoadU(d, below + x)), hn::LoadU(d, here + x)), d, between + x);
    }
    float* const to = out.row(i);
    for (int x = 1; x < columns; x += lanes) {
      hn::StoreU(pick(pick(hn::LoadU(d, between + x - 1), hn::LoadU(d, between + x + 1)), hn::LoadU(d, between + x)), d,
                 to + x);
    }
  }
}

/// The levels of a tile's pixels, in rows `stride` apart. The smallest and largest gradients around each pixel spread
/// by one pixel per level, until the levels of all pixels are final.
inline void levels_of_tile(const TrilateralImage& image, const TrilateralTile& tile, int most,
                           TrilateralScratch& scratch, std::uint8_t* levels, std::ptrdiff_t stride) {
  using namespace vector;
  const FloatTag d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int rows = tile.height + 2 * most, columns = tile.width + 2 * most;
  Plane *low = &scratch.lowest[0], *high = &scratch.highest[0];
  Plane *next_low = &scratch.lowest[1], *next_high = &scratch.highest[1];
  for (Plane* plane : {low, high, next_low, next_high, &scratch.sizes}) plane->resize(columns, rows);
  scratch.counts.resize(tile.width, tile.height);
  scratch.between.resize(columns, 1);
  gradients_of_tile(image, tile, most, 0, *high, nullptr, nullptr);
  gradients_of_tile(image, tile, most, trilateral_far, *low, nullptr, nullptr);
  for (int i = 0; i < tile.height; ++i) {
    std::copy_n(high->row(i + most) + most, tile.width, scratch.sizes.row(i));
    std::fill_n(scratch.counts.row(i), tile.width, 0.0f);
  }
  for (int level = 1; level <= most; ++level) {
    const auto smaller = [](float_v a, float_v b) { return minimum(a, b); };
    const auto greater = [](float_v a, float_v b) { return maximum(a, b); };
    spread(smaller, *low, level, rows - level, columns, scratch.between.row(0), *next_low);
    spread(greater, *high, level, rows - level, columns, scratch.between.row(0), *next_high);
    std::swap(low, next_low);
    std::swap(high, next_high);
    bool stands = false;
    for (int i = 0; i < tile.height; ++i) {
      const float *const lowest = low->row(i + most) + most, *const highest = high->row(i + most) + most;
      float* const count = scratch.counts.row(i);
      for (int x = 0; x < tile.width; x += lanes) {
        const float_v size = hn::LoadU(d, scratch.sizes.row(i) + x);
        const mask_v too_high = less_than(size + splat(scaled_sigma_r), hn::LoadU(d, highest + x));
        const mask_v too_low = less_than(hn::LoadU(d, lowest + x), size - splat(scaled_sigma_r));
        const mask_v alike = hn::Not(hn::Or(too_high, too_low));
        hn::StoreU(if_then_else(alike, splat(static_cast<float>(level)), hn::LoadU(d, count + x)), d, count + x);
        stands = stands || !hn::AllFalse(d, alike);
      }
    }
    if (!stands) break;
  }
  for (int i = 0; i < tile.height; ++i) {
    const float* const count = scratch.counts.row(i);
    std::uint8_t* const out = levels + i * stride;
    for (int x = 0; x < tile.width; ++x) out[x] = static_cast<std::uint8_t>(count[x]);
  }
}

/// The smoothed gradients of a tile's pixels. Rows are whole vectors.
inline void smooth_tile(const TrilateralImage& image, const TrilateralTile& tile, const TrilateralPlan& plan,
                        TrilateralScratch& scratch, float* out_x, float* out_y, std::ptrdiff_t stride) {
  using namespace vector;
  const FloatTag d;
  const int lanes = static_cast<int>(hn::Lanes(d)), reach = plan.smoothing;
  const int columns = tile.width + 2 * reach, rows = tile.height + 2 * reach;
  for (Plane* plane : {&scratch.sizes, &scratch.gx, &scratch.gy}) plane->resize(columns, rows);
  gradients_of_tile(image, tile, reach, trilateral_far, scratch.sizes, &scratch.gx, &scratch.gy);
  for (int i = 0; i < tile.height; ++i) {
    for (int x = 0; x < tile.width; x += lanes) {
      const float_v size = hn::LoadU(d, scratch.sizes.row(i + reach) + x + reach);
      float_v weights = splat(0.0f), xs = weights, ys = weights;
      for (int n = -reach; n <= reach; ++n) {
        const std::ptrdiff_t at = (i + reach + n) * scratch.sizes.stride() + x + reach;
        const float *const sizes = scratch.sizes.row(0) + at, *const gx = scratch.gx.row(0) + at,
                           *const gy = scratch.gy.row(0) + at;
        float_v row_weights = splat(0.0f), row_xs = row_weights, row_ys = row_weights;
        for (int m = -reach; m <= reach; ++m) {
          const float_v difference = hn::LoadU(d, sizes + m) - size;
          const float_v exponent = splat(plan.exponent[static_cast<std::size_t>(m < 0 ? -m : m)]);
          const float_v w = two_to_minus(fma(difference, difference, exponent));
          row_weights = row_weights + w;
          row_xs = fma(hn::LoadU(d, gx + m), w, row_xs);
          row_ys = fma(hn::LoadU(d, gy + m), w, row_ys);
        }
        const float_v row_weight = splat(plan.row_weight[static_cast<std::size_t>(n < 0 ? -n : n)]);
        weights = fma(row_weight, row_weights, weights);
        xs = fma(row_weight, row_xs, xs);
        ys = fma(row_weight, row_ys, ys);
      }
      hn::StoreU(xs / weights, d, out_x + i * stride + x);
      hn::StoreU(ys / weights, d, out_y + i * stride + x);
    }
  }
}

/// Pixels of a vector that are adjacent in a row. `load` reads the values `distance` floats from each pixel, and the
/// next three.
struct SideBySide {
  const float* first;
  HWY_INLINE void load(std::ptrdiff_t distance, vector::float_v* four) const {
    for (int i = 0; i < 4; ++i) four[i] = hn::LoadU(vector::FloatTag(), first + distance + i);
  }
};

/// Pixels of a vector at any places, given as offsets in floats from `origin`. Four floats of each are loaded at once,
/// and squares of four by four are transposed. That takes half the time of gathering them one by one.
struct Anywhere {
  const float* origin;
  const std::int32_t* offsets;

#if HWY_TARGET == HWY_SCALAR
  HWY_INLINE void load(std::ptrdiff_t distance, vector::float_v* four) const {
    SideBySide{origin + offsets[0]}.load(distance, four);
  }
#else
  // Four floats of every fourth pixel, beginning with this one.
  template <class D>
  HWY_INLINE hn::Vec<D> load_blocks(D d, const float* from, const std::int32_t* pixel) const {
    constexpr std::size_t lanes = hn::MaxLanes(d);
    if constexpr (lanes == 4) {
      return hn::LoadU(d, from + *pixel);
    } else {
      const hn::Half<D> half;
      return hn::Combine(d, load_blocks(half, from, pixel + lanes / 2), load_blocks(half, from, pixel));
    }
  }

  HWY_INLINE void load(std::ptrdiff_t distance, vector::float_v* four) const {
    const vector::FloatTag d;
    const hn::RepartitionToWide<vector::FloatTag> pairs;
    const float* const from = origin + distance;
    const auto a = load_blocks(d, from, offsets), b = load_blocks(d, from, offsets + 1);
    const auto e = load_blocks(d, from, offsets + 2), f = load_blocks(d, from, offsets + 3);
    const auto low_ab = hn::BitCast(pairs, hn::InterleaveLower(d, a, b));
    const auto high_ab = hn::BitCast(pairs, hn::InterleaveUpper(d, a, b));
    const auto low_ef = hn::BitCast(pairs, hn::InterleaveLower(d, e, f));
    const auto high_ef = hn::BitCast(pairs, hn::InterleaveUpper(d, e, f));
    four[0] = hn::BitCast(d, hn::InterleaveLower(pairs, low_ab, low_ef));
    four[1] = hn::BitCast(d, hn::InterleaveUpper(pairs, low_ab, low_ef));
    four[2] = hn::BitCast(d, hn::InterleaveLower(pairs, high_ab, high_ef));
    four[3] = hn::BitCast(d, hn::InterleaveUpper(pairs, high_ab, high_ef));
  }
#endif
};

/// For each pixel of a vector, the mean difference from the plane through it, `value`, with the slope (gx, gy), over
/// the window that reaches `reach` pixels. If `mixed`, a pixel's own window reaches `reaches` pixels, which may be
/// less.
template <bool mixed, class Pixels>
HWY_INLINE vector::float_v mean_difference(const Pixels& pixels, std::ptrdiff_t stride, const TrilateralTables& tables,
                                           int reach, vector::float_v reaches, vector::float_v value,
                                           vector::float_v gx, vector::float_v gy) {
  using namespace vector;
  const float_v down = splat(0.0f) - gx;
  float_v weights = splat(0.0f), differences = weights;
  for (int n = -reach; n <= reach; ++n) {
    const int extent = std::min(reach, tables.disc[n]);
    const float_v plane = fma_of_whole(gy, splat(tables.step[n]), value);
    float_v row_weights = splat(0.0f), row_differences = row_weights;
    float_v four[4];
    const auto add = [&](int m, float_v tap) HWY_ATTR {
      const float_v difference = fma_of_whole(down, splat(tables.step[m]), tap - plane);
      float_v w = two_to_minus(fma(difference, difference, splat(tables.exponent[m])));
      if constexpr (mixed) {
        const float distance = std::max(std::abs(tables.step[n]), std::abs(tables.step[m]));
        w = hn::IfThenElseZero(hn::Le(splat(distance), reaches), w);
      }
      row_weights = row_weights + w;
      row_differences = fma(difference, w, row_differences);
    };
    int m = -extent;
    for (; m + 3 <= extent; m += 4) {
      pixels.load(n * stride + m, four);
      for (int i = 0; i < 4; ++i) add(m + i, four[i]);
    }
    pixels.load(n * stride + m, four);
    for (int i = 0; m + i <= extent; ++i) add(m + i, four[i]);
    const float_v row_weight = splat(tables.row_weight[n]);
    weights = fma(row_weight, row_weights, weights);
    differences = fma(row_weight, row_differences, differences);
  }
  return differences / weights;
}

/// Filters the pixels of a tile, several at a time.
class TileWindows {
 public:
  TileWindows(const TrilateralWindows& job, const TrilateralTile& tile) : job_(job), tile_(tile) {}

  [[nodiscard]] const std::uint8_t* levels(int y) const {
    return job_.levels + std::ptrdiff_t{tile_.y + y} * job_.image.width + tile_.x;
  }

  /// The window of level 0 contains only the pixel itself.
  void keep(int x, int y) const {
    job_.out->row(tile_.y + y)[tile_.x + x] = scalar::clipped(job_.grey->row(tile_.y + y)[tile_.x + x] + 0.0f);
  }

  /// Filters neighbours of one level, one vector of them, from (x, y) on.
  void filter_run(int x, int y) {
    for (int i = 0; i < lanes; ++i) take(i, x + i, y);
    const float* const first = job_.image.row(tile_.y + y) + tile_.x + x;
    sum<false>(SideBySide{first});
    for (int i = 0; i < lanes; ++i) put(i, x + i, y);
  }

  /// Filters pixels at any places, y << 16 | x, at most one vector of them, in falling order of levels.
  void filter(const std::int32_t* pixels, int count) {
    for (int i = 0; i < lanes; ++i) {
      const std::int32_t pixel = pixels[std::min(i, count - 1)];
      take(i, pixel & 0xffff, pixel >> 16);
      offsets_[i] = static_cast<std::int32_t>((pixel >> 16) * job_.image.stride + (pixel & 0xffff));
    }
    const Anywhere anywhere{job_.image.row(tile_.y) + tile_.x, offsets_};
    if (reaches_[0] == reaches_[lanes - 1]) {
      sum<false>(anywhere);
    } else {
      sum<true>(anywhere);
    }
    for (int i = 0; i < count; ++i) put(i, pixels[i] & 0xffff, pixels[i] >> 16);
  }

 private:
  static constexpr int lanes = static_cast<int>(hn::MaxLanes(vector::FloatTag()));

  // Pixel (x, y) of the tile becomes lane i.
  void take(int i, int x, int y) {
    const TrilateralImage& image = job_.image;
    const int column = tile_.x + x, row = tile_.y + y;
    const float* const at = image.row(row) + column;
    values_[i] = at[0];
    reaches_[i] = static_cast<float>(reach_of_level(levels(y)[x], job_.shape.certified, job_.shape.reach));
    if (job_.gx != nullptr) {
      xs_[i] = job_.gx->row(row)[column];
      ys_[i] = job_.gy->row(row)[column];
    } else {
      xs_[i] = column + 1 < image.width ? at[1] - at[0] : 0;
      ys_[i] = row + 1 < image.height ? at[image.stride] - at[0] : 0;
    }
  }

  // The first lane has the largest window.
  template <bool mixed, class Pixels>
  void sum(const Pixels& pixels) {
    const vector::FloatTag d;
    hn::Store(mean_difference<mixed>(pixels, job_.image.stride, job_.tables, static_cast<int>(reaches_[0]),
                                     hn::Load(d, reaches_), hn::Load(d, values_), hn::Load(d, xs_), hn::Load(d, ys_)),
              d, means_);
  }

  void put(int i, int x, int y) const {
    const int column = tile_.x + x, row = tile_.y + y;
    job_.out->row(row)[column] = scalar::clipped(scalar::fma(means_[i], job_.unscale, job_.grey->row(row)[column]));
  }

  const TrilateralWindows& job_;
  const TrilateralTile& tile_;
  HWY_ALIGN std::int32_t offsets_[lanes];
  HWY_ALIGN float values_[lanes], reaches_[lanes], xs_[lanes], ys_[lanes], means_[lanes];
};

/// Filters a tile. Runs of one level that fill a vector are filtered in place. The remaining pixels are filtered in
/// order of their levels, the highest first, from any places.
inline void windows_in_order(const TrilateralWindows& job, const TrilateralTile& tile, TrilateralScratch& scratch) {
  constexpr int lanes = static_cast<int>(hn::MaxLanes(vector::FloatTag()));
  TileWindows windows(job, tile);
  scratch.left.clear();
  // Index in the order at which the pixels of each level begin.
  int begin[most_trilateral_levels + 2] = {};
  for (int y = 0; y < tile.height; ++y) {
    const std::uint8_t* const levels = windows.levels(y);
    for (int x = 0; x < tile.width;) {
      int end = x + 1;
      while (end < tile.width && levels[end] == levels[x]) ++end;
      if (levels[x] == 0) {
        for (; x < end; ++x) windows.keep(x, y);
      }
      for (; x + lanes <= end; x += lanes) windows.filter_run(x, y);
      for (; x < end; ++x) {
        scratch.left.push_back(y << 16 | x);
        ++begin[most_trilateral_levels - levels[x] + 1];
      }
    }
  }
  for (int i = 1; i <= most_trilateral_levels; ++i) begin[i] += begin[i - 1];
  scratch.order.resize(scratch.left.size());
  for (const std::int32_t pixel : scratch.left) {
    const int level = windows.levels(pixel >> 16)[pixel & 0xffff];
    scratch.order[static_cast<std::size_t>(begin[most_trilateral_levels - level]++)] = pixel;
  }
  const int count = static_cast<int>(scratch.order.size());
  for (int i = 0; i < count; i += lanes) windows.filter(scratch.order.data() + i, std::min(lanes, count - i));
}

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
