// The pixels of a descriptor's turned square are first packed densely, so that no arithmetic is spent on pixels outside
// it. Then their eight shares are added as one block, for which the accumulators are laid out, instead of eight
// scattered integers. Two sets of accumulators are used in turn, since neighbouring pixels mostly update the same
// accumulators and would wait for each other.
//
// Tried without gain: the eight shares of a pixel as one vector in memory, with slots as offsets.

#include "sift/windows_cpu.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sift/windows_cpu.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// The two includes above must come first.
#include "maths/per_isa.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

namespace scalar {
// clang-format off
#include "sift/bytes_maths.h"
#include "sift/descriptor_finish.h"
#include "sift/descriptor_maths.h"
// clang-format on
#include "sift/window_maths.h"
}  // namespace scalar

namespace vector {
#include "sift/descriptor_maths.h"
// This uses the functions of descriptor_maths.h.
#include "sift/affine_maths.h"
#include "sift/orientation_maths.h"
#include "sift/window_maths.h"
}  // namespace vector

namespace paired {
#include "sift/descriptor_maths.h"
#include "sift/orientation_maths.h"
}  // namespace paired

constexpr int vector_lanes = static_cast<int>(vector::hn::MaxLanes(vector::FloatTag()));

// The largest windows: σ0 = 4 and S = 1 give σ ≤ 11.4 [pixel of the octave]. An ellipse is up to twice as high as the
// circle of its area (longest_shape).
constexpr int largest_radius = 128;
constexpr int window_width = 2 * largest_radius + 64;
constexpr int tallest_window = 4 * largest_radius + 64;

// Window weights of the columns −radius … radius, at [radius + column].
inline void column_weights(int radius, float factor, float* weights) {
  using namespace vector;
  const FloatTag d;
  for (int i = 0; i <= 2 * radius; i += static_cast<int>(hn::Lanes(d))) {
    const float_v distance = hn::Iota(d, static_cast<float>(i - radius));
    hn::StoreU(window_weight(distance, splat(factor)), d, weights + i);
  }
}

// The pixels of an orientation's window, packed densely.
struct WindowPixels {
  float *gx, *gy, *weight;

  // Room for every pixel of a square of this radius, and two vectors more.
  WindowPixels(Plane& memory, int radius) {
    memory.resize((2 * radius + 1) * (2 * radius + 1) + 2 * vector_lanes, 3);
    gx = memory.row(0);
    gy = memory.row(1);
    weight = memory.row(2);
  }
};

// Returns their number. Pixels without weight follow up to a whole pair of vectors.
inline int pack_window(const Plane& level, const Extremum& e, int radius, float factor, const WindowPixels& pixels) {
  using namespace vector;
  const FloatTag d;
  float weights[window_width];
  column_weights(radius, factor, weights);
  const int x_begin = std::max(e.column - radius, 1), x_end = std::min(e.column + radius, level.width() - 2) + 1;
  const int y_begin = std::max(e.row - radius, 1), y_end = std::min(e.row + radius, level.height() - 2) + 1;
  const float* const columns = weights + radius - e.column;
  int count = 0;
  for (int y = y_begin; y < y_end; ++y) {
    const float* row = level.row(y);
    const float* above = level.row(y - 1);
    const float* below = level.row(y + 1);
    const float_v row_weight = splat(weights[radius + y - e.row] * vote_unit);
    // The next row overwrites what is beyond this one.
    for (int x = x_begin, at = count; x < x_end; x += vector_lanes, at += vector_lanes) {
      hn::StoreU(hn::LoadU(d, row + x + 1) - hn::LoadU(d, row + x - 1), d, pixels.gx + at);
      hn::StoreU(hn::LoadU(d, below + x) - hn::LoadU(d, above + x), d, pixels.gy + at);
      hn::StoreU(row_weight * hn::LoadU(d, columns + x), d, pixels.weight + at);
    }
    count += std::max(x_end - x_begin, 0);
  }
  for (float* p : {pixels.gx, pixels.gy, pixels.weight}) {
    hn::StoreU(splat(0.0f), d, p + count);
    hn::StoreU(splat(0.0f), d, p + count + vector_lanes);
  }
  return count;
}

OrientationHistogram orientation_histogram(const Plane& level, const Extremum& e, float scale, Plane& memory) {
  using namespace paired;
  const int radius = orientation_radius(scale);
  const WindowPixels pixels(memory, radius);
  const int count = pack_window(level, e, radius, scalar::window_factor(1.5f * scale), pixels);

  // Neighbouring pixels vote for the same bins. Separate copies avoid waiting for the previous vote.
  constexpr int copies = 4;
  std::uint32_t votes[copies][orientation_bins + 1] = {};
  HWY_ALIGN std::int32_t bins[lanes], counts[lanes];
  for (int at = 0; at < count; at += lanes) {
    const Vote vote = orientation_vote(load(pixels.gx + at), load(pixels.gy + at), load(pixels.weight + at));
    store(vote.bin, bins);
    store(vote.count, counts);
    for (int i = 0; i < lanes; ++i) votes[i % copies][bins[i]] += static_cast<std::uint32_t>(counts[i]);
  }
  OrientationHistogram histogram;
  for (std::size_t i = 0; i < histogram.size(); ++i)
    histogram[i] = votes[0][i] + votes[1][i] + votes[2][i] + votes[3][i];
  return histogram;
}

// Narrows first … last to the range where |dx·slope + offset| < reach, which may be up to a pixel too wide.
inline void narrow(float one_by_slope, float offset, int& first, int& last, float reach = 2.5f) {
  const float a = (-reach - offset) * one_by_slope, b = (reach - offset) * one_by_slope;
  const float low = std::min(a, b), high = std::max(a, b);
  // More than any radius: truncated values are positive, and so are rounded down.
  constexpr float shift = 1024;
  if (low > static_cast<float>(first)) first = static_cast<int>(std::min(low, shift) + shift) - 1024;
  if (high < static_cast<float>(last)) last = static_cast<int>(std::max(high, -shift) + shift) - 1023;
}

OrientationHistogram window_orientations(const Plane& level, const WindowFrame& w) {
  using namespace vector;
  const FloatTag d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const float_v cells11 = splat(w.cells11), cells12 = splat(w.cells12);
  const float_v cells21 = splat(w.cells21), cells22 = splat(w.cells22);
  const float_v turn11 = splat(w.turn11), turn12 = splat(w.turn12);
  const float_v turn21 = splat(w.turn21), turn22 = splat(w.turn22);
  constexpr int copies = 4;
  std::uint32_t votes[copies][orientation_bins + 1] = {};
  const int y_begin = std::max(w.row - w.reach_y, 1), y_end = std::min(w.row + w.reach_y, level.height() - 2) + 1;
  HWY_ALIGN std::int32_t bins[hn::MaxLanes(IntTag())], counts[hn::MaxLanes(IntTag())];
  for (int y = y_begin; y < y_end; ++y) {
    const float dy = static_cast<float>(y - w.row) - w.y;
    // The window is upright, so that a row of it is a row of cells.
    if (std::abs(dy * w.cells22) > 1.6f) continue;
    int first = std::max(-w.reach_x, 1 - w.column), last = std::min(w.reach_x, level.width() - 2 - w.column);
    narrow(1 / w.cells11, dy * w.cells12 - w.x * w.cells11, first, last, 1.6f);
    const float* row = level.row(y) + w.column;
    const float* above = level.row(y - 1) + w.column;
    const float* below = level.row(y + 1) + w.column;
    const float_v down = splat(dy);
    for (int x = first; x <= last; x += lanes) {
      const float_v across = hn::Iota(d, static_cast<float>(x)) - splat(w.x);
      const float_v gx = hn::LoadU(d, row + x + 1) - hn::LoadU(d, row + x - 1);
      const float_v gy = hn::LoadU(d, below + x) - hn::LoadU(d, above + x);
      const Vote vote =
          window_vote(coordinate(gx, gy, turn11, turn12), coordinate(gx, gy, turn21, turn22),
                      coordinate(across, down, cells11, cells12), coordinate(across, down, cells21, cells22));
      hn::Store(vote.bin, IntTag(), bins);
      hn::Store(vote.count, IntTag(), counts);
      const int n = std::min(lanes, last + 1 - x);
      for (int i = 0; i < n; ++i) votes[i % copies][bins[i]] += static_cast<std::uint32_t>(counts[i]);
    }
  }
  OrientationHistogram histogram;
  for (std::size_t i = 0; i < histogram.size(); ++i)
    histogram[i] = votes[0][i] + votes[1][i] + votes[2][i] + votes[3][i];
  return histogram;
}

// The sum of 32-bit integers as 64 bits.
HWY_INLINE std::int64_t wide_sum(vector::int_v v) {
  namespace hn = vector::hn;
  HWY_ALIGN std::int32_t lanes[hn::MaxLanes(vector::IntTag())];
  hn::Store(v, vector::IntTag(), lanes);
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < hn::Lanes(vector::IntTag()); ++i) sum += lanes[i];
  return sum;
}

Moments second_moments(const Plane& level, const ShapeWindow& w, const Shape& shape) {
  using namespace vector;
  const FloatTag d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const Reach reach = reach_of(w, shape);
  const float_v yy = splat(shape.yy), minus_xy = splat(-shape.xy), factor = splat(w.factor), limit = splat(w.limit);
  const int y_begin = std::max(w.row - reach.down, 1), y_end = std::min(w.row + reach.down, level.height() - 2) + 1;
  // A lane holds the sums of `rows_at_once` rows, each with less than 2^7 pixels of a lane, in units of 2^−22.
  constexpr int rows_at_once = 4;
  Moments moments;
  for (int begin = y_begin; begin < y_end; begin += rows_at_once) {
    int_v xx = splat_int(0), xy = xx, yy_sum = xx;
    for (int y = begin; y < std::min(begin + rows_at_once, y_end); ++y) {
      const float dy = static_cast<float>(y - w.row) - w.y, down = dy * shape.xx;
      const float rest = w.limit - down * down;
      if (rest <= 0) continue;
      // The chord of the ellipse, and a pixel more to each side.
      const float middle = w.x + dy * shape.xy * shape.xx, half = std::sqrt(rest) * shape.xx + 1;
      const int first = std::max(static_cast<int>(std::floor(middle - half)), 1 - w.column);
      const int last = std::min(static_cast<int>(std::ceil(middle + half)), level.width() - 2 - w.column);
      const float* row = level.row(y) + w.column;
      const float* above = level.row(y - 1) + w.column;
      const float* below = level.row(y + 1) + w.column;
      const float_v vdy = splat(dy), vdown = splat(down);
      for (int x = first; x <= last; x += lanes) {
        const float_v across = hn::Iota(d, static_cast<float>(x)) - splat(w.x);
        float_v gx = hn::LoadU(d, row + x + 1) - hn::LoadU(d, row + x - 1);
        float_v gy = hn::LoadU(d, below + x) - hn::LoadU(d, above + x);
        if (x + lanes > last + 1) {
          const mask_v inside = hn::FirstN(d, static_cast<std::size_t>(last + 1 - x));
          gx = hn::IfThenElseZero(inside, gx);
          gy = hn::IfThenElseZero(inside, gy);
        }
        const Products p = weighted_products(gx, gy, coordinate(across, vdy, yy, minus_xy), vdown, factor, limit);
        xx = add(xx, p.xx);
        xy = add(xy, p.xy);
        yy_sum = add(yy_sum, p.yy);
      }
    }
    moments.xx += wide_sum(xx);
    moments.xy += wide_sum(xy);
    moments.yy += wide_sum(yy_sum);
  }
  return moments;
}

// The columns of each row of a descriptor's window that touch its cells. Both coordinates of a pixel in cells rise or
// fall along a row, also when rounded, so that these columns have no gaps.
class RowRanges {
 public:
  // Columns first … last of each row, counted from the window's pixel.
  RowRanges(int rows, int first, int last) : rows_((rows + vector_lanes - 1) / vector_lanes * vector_lanes) {
    std::fill_n(low_, rows_, static_cast<float>(first));
    std::fill_n(high_, rows_, static_cast<float>(last));
  }

  // Drops columns x with |x·slope + y·by_y + offset| > 2.5, where y is `first_y` in the first row and rises by 1. Some
  // may remain that are too far by a thousandth of a cell.
  void narrow(float slope, float by_y, float offset, float first_y) {
    using namespace vector;
    const FloatTag d;
    constexpr float flat = 1e-6f;  // a slope as small as this bounds nothing
    const float_v one_by_slope = splat(std::abs(slope) > flat ? 1 / slope : 1 / flat);
    const float_v reach = splat(2.501f);
    for (int i = 0; i < rows_; i += vector_lanes) {
      const float_v middle = fma(hn::Iota(d, first_y + static_cast<float>(i)), splat(by_y), splat(offset));
      const float_v a = (negate(reach) - middle) * one_by_slope, b = (reach - middle) * one_by_slope;
      hn::StoreU(maximum(hn::LoadU(d, low_ + i), minimum(a, b)), d, low_ + i);
      hn::StoreU(minimum(hn::LoadU(d, high_ + i), maximum(a, b)), d, high_ + i);
    }
  }

  // Narrows each row to the columns that touch the cells. Row i is `first_row` + i rows from the window's pixel, and
  // touches(x, y) tells it for a column and a row counted from there.
  template <class Touches>
  HWY_INLINE void narrow_exactly(int first_row, const Touches& touches) {
    using namespace vector;
    const FloatTag d;
    const float_v one = splat(1), far = splat(1024);  // more than any radius
    for (int i = 0; i < rows_; i += vector_lanes) {
      const float_v y = hn::Iota(d, static_cast<float>(first_row + i));
      float_v first = minimum(hn::Ceil(hn::LoadU(d, low_ + i)), far);
      float_v last = maximum(floor(hn::LoadU(d, high_ + i)), negate(far));
      // The ends are a column too far at most, with few exceptions.
      for (;;) {
        const mask_v outside = hn::AndNot(touches(first, y), hn::Le(first, last));
        if (hn::AllFalse(d, outside)) break;
        first = if_then_else(outside, first + one, first);
      }
      for (;;) {
        const mask_v outside = hn::AndNot(touches(last, y), hn::Le(first, last));
        if (hn::AllFalse(d, outside)) break;
        last = if_then_else(outside, last - one, last);
      }
      hn::StoreU(round_to_int(first), IntTag(), first_ + i);
      hn::StoreU(round_to_int(last), IntTag(), last_ + i);
    }
  }

  // After narrow_exactly: the ends of a row. It is empty if first > last.
  [[nodiscard]] int first(int row) const { return first_[row]; }
  [[nodiscard]] int last(int row) const { return last_[row]; }

 private:
  int rows_;  // rounded up to whole vectors
  float low_[tallest_window], high_[tallest_window];
  std::int32_t first_[tallest_window], last_[tallest_window];
};

// The pixels of a descriptor's window, packed densely.
struct Pixels {
  float *gx, *gy, *column, *row, *weight;

  // Room for every pixel of an upright rectangle of these distances from its centre, and two vectors more.
  Pixels(Plane& memory, int reach_x, int reach_y) {
    memory.resize((2 * reach_x + 1) * (2 * reach_y + 1) + 2 * HWY_MAX_BYTES, 5);
    gx = memory.row(0);
    gy = memory.row(1);
    column = memory.row(2);
    row = memory.row(3);
    weight = memory.row(4);
  }
};

// Whether a position in cells is less than one cell from one of the 4×4.
HWY_INLINE vector::mask_v touches_cells(vector::float_v column, vector::float_v row) {
  using namespace vector;
  return logical_and(logical_and(less_than(splat(-1), column), less_than(column, splat(4))),
                     logical_and(less_than(splat(-1), row), less_than(row, splat(4))));
}

inline int pack_pixels(const Plane& level, const Oriented& keypoint, const DescriptorFrame& frame,
                       const Pixels& pixels) {
  using namespace vector;
  const FloatTag d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int radius = frame.radius;
  const Extremum& e = keypoint.extremum;
  float weights[window_width];
  column_weights(radius, scalar::window_factor(frame.deviation), weights);

  const float_v cosine = splat(frame.cosine), sine = splat(frame.sine);
  const int y_begin = std::max(e.row - radius, 1), y_end = std::min(e.row + radius, level.height() - 2) + 1;
  RowRanges ranges(std::max(y_end - y_begin, 0), std::max(-radius, 1 - e.column),
                   std::min(radius, level.width() - 2 - e.column));
  const float first_y = static_cast<float>(y_begin - e.row);
  ranges.narrow(frame.cosine, frame.sine, 0, first_y);
  ranges.narrow(-frame.sine, frame.cosine, 0, first_y);
  ranges.narrow_exactly(y_begin - e.row, [&](float_v x, float_v y) HWY_ATTR {
    return touches_cells(cell_column(x, y, cosine, sine), cell_row(x, y, cosine, sine));
  });
  int count = 0;
  for (int y = y_begin; y < y_end; ++y) {
    const int first = ranges.first(y - y_begin), last = ranges.last(y - y_begin);
    const float* row = level.row(y) + e.column;
    const float* above = level.row(y - 1) + e.column;
    const float* below = level.row(y + 1) + e.column;
    const float_v row_weight = splat(weights[radius + y - e.row] * vote_unit);
    const float_v vdy = splat(static_cast<float>(y - e.row));
    // The next row overwrites what is beyond this one.
    for (int x = first, at = count; x <= last; x += lanes, at += lanes) {
      const float_v vdx = hn::Iota(d, static_cast<float>(x));
      hn::StoreU(hn::LoadU(d, row + x + 1) - hn::LoadU(d, row + x - 1), d, pixels.gx + at);
      hn::StoreU(hn::LoadU(d, below + x) - hn::LoadU(d, above + x), d, pixels.gy + at);
      hn::StoreU(cell_column(vdx, vdy, cosine, sine), d, pixels.column + at);
      hn::StoreU(cell_row(vdx, vdy, cosine, sine), d, pixels.row + at);
      hn::StoreU(row_weight * hn::LoadU(d, weights + radius + x), d, pixels.weight + at);
    }
    count += std::max(last + 1 - first, 0);
  }
  // Whole pairs of vectors are read, so pixels without weight follow the last one.
  for (float* p : {pixels.gx, pixels.gy, pixels.column, pixels.row, pixels.weight}) {
    hn::StoreU(splat(0.0f), d, p + count);
    hn::StoreU(splat(0.0f), d, p + count + lanes);
  }
  return count;
}

// Sums of votes during the accumulation. A slot holds the eight sums that a pixel adds to, so that one addition of
// eight integers suffices: rows r and r + 1 of cells, in each the columns c and c + 1, in each the directions d and d +
// 1, at [r + 1][c + 1][d].
struct Slots {
  std::int32_t sum[5][5][8][8] = {};
};

// Adds four and four integers to eight neighbouring ones.
HWY_INLINE void add_eight(const std::int32_t* row0, const std::int32_t* row1, std::int32_t* sums) {
  namespace hn = vector::hn;
  const hn::CappedTag<std::int32_t, 4> half;
#if HWY_MAX_BYTES >= 32
  const hn::CappedTag<std::int32_t, 8> d;
  hn::Store(hn::Add(hn::Load(d, sums), hn::Combine(d, hn::Load(half, row1), hn::Load(half, row0))), d, sums);
#else
  for (std::size_t k = 0; k < 4; k += hn::Lanes(half)) {
    hn::Store(hn::Add(hn::Load(half, sums + k), hn::Load(half, row0 + k)), half, sums + k);
    hn::Store(hn::Add(hn::Load(half, sums + 4 + k), hn::Load(half, row1 + k)), half, sums + 4 + k);
  }
#endif
}

constexpr int block_lanes = std::min(vector_lanes, 4);  // of 128 bits
constexpr int blocks = vector_lanes / block_lanes;

// The lanes of four vectors, four at a time: those of lane k of block b are at out + 4·(k·blocks + b). This order needs
// no operation across blocks.
HWY_INLINE void store_by_lane(vector::int_v v0, vector::int_v v1, vector::int_v v2, vector::int_v v3,
                              std::int32_t* out) {
  using namespace vector;
  const IntTag d;
#if HWY_TARGET == HWY_SCALAR
  hn::StoreInterleaved4(v0, v1, v2, v3, d, out);
#else
  const hn::Repartition<std::int64_t, IntTag> pairs;
  const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(d, v0, v1));
  const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(d, v2, v3));
  const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(d, v0, v1));
  const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(d, v2, v3));
  hn::Store(hn::BitCast(d, hn::InterleaveLower(pairs, low01, low23)), d, out);
  hn::Store(hn::BitCast(d, hn::InterleaveUpper(pairs, low01, low23)), d, out + vector_lanes);
  hn::Store(hn::BitCast(d, hn::InterleaveLower(pairs, high01, high23)), d, out + 2 * vector_lanes);
  hn::Store(hn::BitCast(d, hn::InterleaveUpper(pairs, high01, high23)), d, out + 3 * vector_lanes);
#endif
}

// Adds sums of slots to sums of cells. Votes outside the 4×4 cells are dropped. The sums of two neighbouring directions
// are added as one number of 64 bits: shares are not negative and their sums fit 31 bits, so that none carries over.
inline void fold(const Slots& even, const Slots& odd, DescriptorHistogram& histogram) {
  const auto sums_of = [&](int row, int column, int direction, int pair) {
    std::uint64_t a, b;
    std::memcpy(&a, &even.sum[row][column][direction][2 * pair], sizeof(a));
    std::memcpy(&b, &odd.sum[row][column][direction][2 * pair], sizeof(b));
    return a + b;
  };
  std::int32_t* out = histogram.data();
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 4; ++column, out += 8) {
      // Here and in the next direction.
      std::int32_t sums[8][2];
      for (int d = 0; d < 8; ++d) {
        const std::uint64_t both = sums_of(row + 1, column + 1, d, 0) + sums_of(row + 1, column, d, 1) +
                                   sums_of(row, column + 1, d, 2) + sums_of(row, column, d, 3);
        std::memcpy(sums[d], &both, sizeof(both));
      }
      for (int d = 0; d < 8; ++d) out[d] = sums[d][0] + sums[(d + 7) % 8][1];
    }
  }
}

// Adds up the shares of packed pixels. shares_of(i) are those of the two vectors of pixels from i on.
template <class SharesOf>
HWY_INLINE DescriptorHistogram sum_of_shares(int count, const SharesOf& shares_of) {
  // Arithmetic and scattering alternate, several vectors at a time. Interleaved, each would wait for the other.
  constexpr int batch = 4 * paired::lanes;
  HWY_ALIGN Slots slots[2];
  HWY_ALIGN std::int32_t slot[batch], row0[4 * batch], row1[4 * batch];
  for (int begin = 0; begin < count; begin += batch) {
    const int n = std::min(batch, count - begin);
    for (int i = 0; i < n; i += paired::lanes) {
      const paired::Shares s = shares_of(begin + i);
      paired::store(paired::slot_of_shares(s, paired::splat(5.0f), paired::splat(8.0f)), slot + i);
      store_by_lane(s.row0_column0_direction0.first, s.row0_column0_direction1.first, s.row0_column1_direction0.first,
                    s.row0_column1_direction1.first, row0 + 4 * i);
      store_by_lane(s.row1_column0_direction0.first, s.row1_column0_direction1.first, s.row1_column1_direction0.first,
                    s.row1_column1_direction1.first, row1 + 4 * i);
      store_by_lane(s.row0_column0_direction0.second, s.row0_column0_direction1.second,
                    s.row0_column1_direction0.second, s.row0_column1_direction1.second, row0 + 4 * (i + vector_lanes));
      store_by_lane(s.row1_column0_direction0.second, s.row1_column0_direction1.second,
                    s.row1_column1_direction0.second, s.row1_column1_direction1.second, row1 + 4 * (i + vector_lanes));
    }
    // Pixels beyond the last add 0.
    for (int i = 0; i < n; i += vector_lanes) {
      for (int k = 0; k < block_lanes; ++k) {
        for (int block = 0; block < blocks; ++block) {
          const int at = 4 * (i + k * blocks + block);
          add_eight(row0 + at, row1 + at,
                    slots[(k * blocks + block) % 2].sum[0][0][0] + 8 * slot[i + block_lanes * block + k]);
        }
      }
    }
  }
  DescriptorHistogram histogram;
  fold(slots[0], slots[1], histogram);
  return histogram;
}

DescriptorHistogram descriptor_histogram(const Plane& level, const Oriented& keypoint, Plane& memory) {
  using namespace paired;
  const DescriptorFrame frame = descriptor_frame(keypoint);
  const Pixels pixels(memory, frame.radius, frame.radius);
  const int count = pack_pixels(level, keypoint, frame, pixels);
  const float_v turns = splat(keypoint.turns);
  return sum_of_shares(count, [&](int at) HWY_ATTR {
    return descriptor_shares(load(pixels.gx + at), load(pixels.gy + at), load(pixels.column + at),
                             load(pixels.row + at), turns, load(pixels.weight + at));
  });
}

// Packs the pixels of a window of any size, without weights.
inline int pack_pixels(const Plane& level, const WindowFrame& window, const Pixels& pixels) {
  using namespace vector;
  const FloatTag d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const float_v middle = splat(1.5f);
  const float_v cells11 = splat(window.cells11), cells12 = splat(window.cells12);
  const float_v cells21 = splat(window.cells21), cells22 = splat(window.cells22);
  const float_v turn11 = splat(window.turn11), turn12 = splat(window.turn12);
  const float_v turn21 = splat(window.turn21), turn22 = splat(window.turn22);
  const int y_begin = std::max(window.row - window.reach_y, 1);
  const int y_end = std::min(window.row + window.reach_y, level.height() - 2) + 1;
  RowRanges ranges(std::max(y_end - y_begin, 0), std::max(-window.reach_x, 1 - window.column),
                   std::min(window.reach_x, level.width() - 2 - window.column));
  const float first_y = static_cast<float>(y_begin - window.row) - window.y;
  ranges.narrow(window.cells11, window.cells12, -window.x * window.cells11, first_y);
  ranges.narrow(window.cells21, window.cells22, -window.x * window.cells21, first_y);
  ranges.narrow_exactly(y_begin - window.row, [&](float_v x, float_v y) HWY_ATTR {
    const float_v dx = x - splat(window.x), dy = y - splat(window.y);
    return touches_cells(coordinate(dx, dy, cells11, cells12) + middle, coordinate(dx, dy, cells21, cells22) + middle);
  });
  int count = 0;
  for (int y = y_begin; y < y_end; ++y) {
    const int first = ranges.first(y - y_begin), last = ranges.last(y - y_begin);
    const float* row = level.row(y) + window.column;
    const float* above = level.row(y - 1) + window.column;
    const float* below = level.row(y + 1) + window.column;
    const float_v vdy = splat(static_cast<float>(y - window.row) - window.y);
    // The next row overwrites what is beyond this one.
    for (int x = first, at = count; x <= last; x += lanes, at += lanes) {
      const float_v vdx = hn::Iota(d, static_cast<float>(x)) - splat(window.x);
      const float_v gx = hn::LoadU(d, row + x + 1) - hn::LoadU(d, row + x - 1);
      const float_v gy = hn::LoadU(d, below + x) - hn::LoadU(d, above + x);
      hn::StoreU(coordinate(gx, gy, turn11, turn12), d, pixels.gx + at);
      hn::StoreU(coordinate(gx, gy, turn21, turn22), d, pixels.gy + at);
      hn::StoreU(coordinate(vdx, vdy, cells11, cells12) + middle, d, pixels.column + at);
      hn::StoreU(coordinate(vdx, vdy, cells21, cells22) + middle, d, pixels.row + at);
    }
    count += std::max(last + 1 - first, 0);
  }
  // Whole pairs of vectors are read, so pixels without a gradient follow the last one.
  for (float* p : {pixels.gx, pixels.gy, pixels.column, pixels.row}) {
    hn::StoreU(splat(0.0f), d, p + count);
    hn::StoreU(splat(0.0f), d, p + count + lanes);
  }
  return count;
}

DescriptorHistogram window_histogram(const Plane& level, const WindowFrame& window, Plane& memory) {
  using namespace paired;
  const Pixels pixels(memory, window.reach_x, window.reach_y);
  const int count = pack_pixels(level, window, pixels);
  return sum_of_shares(count, [&](int at) HWY_ATTR {
    return window_shares(load(pixels.gx + at), load(pixels.gy + at), load(pixels.column + at), load(pixels.row + at));
  });
}

void finish_descriptor(const DescriptorHistogram& histogram, DescriptorKind kind, std::uint8_t* out) {
  scalar::finish_descriptor(histogram.data(), kind, out);
}

void finish_pooled(const PooledBytes& sums, DescriptorKind kind, std::uint8_t* out) {
  scalar::finish_pooled(sums.data(), kind, out);
}

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace octavo {

HWY_EXPORT(orientation_histogram);
HWY_EXPORT(window_orientations);
HWY_EXPORT(second_moments);
HWY_EXPORT(descriptor_histogram);
HWY_EXPORT(window_histogram);
HWY_EXPORT(finish_descriptor);
HWY_EXPORT(finish_pooled);

namespace {

// Fetches a rectangle around a pixel, and one more pixel to each side, into the second-level cache: the first holds the
// window that is being worked on.
void prefetch(const Plane& level, int row, int column, int reach_x, int reach_y) {
  constexpr int line = 16;  // floats
  const int x_begin = std::max(column - reach_x - 1, 0) / line * line;
  const int x_end = std::min(column + reach_x + 2, level.width());
  const int y_end = std::min(row + reach_y + 2, level.height());
  for (int y = std::max(row - reach_y - 1, 0); y < y_end; ++y) {
    for (int x = x_begin; x < x_end; x += line) __builtin_prefetch(level.row(y) + x, 0, 2);
  }
  // GCC 12 takes a function that does nothing but prefetch for one without effect, and removes it.
  asm volatile("" : : : "memory");
}

}  // namespace

void prefetch_window(const Plane& level, const Extremum& e, int radius) {
  prefetch(level, e.row, e.column, radius, radius);
}

void prefetch_window(const Plane& level, const WindowFrame& window) {
  prefetch(level, window.row, window.column, window.reach_x, window.reach_y);
}

OrientationHistogram WindowsCpu::orientation_histogram(const Plane& level, const Extremum& e, float scale) {
  return pick(HWY_DISPATCH_TABLE(orientation_histogram), isa_)(level, e, scale, pixels_);
}

OrientationHistogram WindowsCpu::orientation_histogram(const Plane& level, const WindowFrame& window) const {
  return pick(HWY_DISPATCH_TABLE(window_orientations), isa_)(level, window);
}

Moments WindowsCpu::second_moments(const Plane& level, const ShapeWindow& window, const Shape& shape) const {
  return pick(HWY_DISPATCH_TABLE(second_moments), isa_)(level, window, shape);
}

DescriptorHistogram WindowsCpu::descriptor_histogram(const Plane& level, const Oriented& keypoint) {
  return pick(HWY_DISPATCH_TABLE(descriptor_histogram), isa_)(level, keypoint, pixels_);
}

DescriptorHistogram WindowsCpu::descriptor_histogram(const Plane& level, const WindowFrame& window) {
  return pick(HWY_DISPATCH_TABLE(window_histogram), isa_)(level, window, pixels_);
}

void WindowsCpu::finish_descriptor(const DescriptorHistogram& histogram, DescriptorKind kind, std::uint8_t* out) const {
  pick(HWY_DISPATCH_TABLE(finish_descriptor), isa_)(histogram, kind, out);
}

void WindowsCpu::finish_pooled(const PooledBytes& sums, DescriptorKind kind, std::uint8_t* out) const {
  pick(HWY_DISPATCH_TABLE(finish_pooled), isa_)(sums, kind, out);
}

}  // namespace octavo
#endif
