// The two halves of a separable Gaussian blur, on rows in the cache. Included by files that Highway compiles once per
// instruction set.
//
// Sums start at the centre and take symmetric pairs outwards, as scale_space_reference.cc defines. Down the columns
// four rows of output are made at a time, or eight where registers suffice: the rows at distance k from them are those
// at distance k − 1, moved by one, so that each row is loaded once above and once below for all of them.
//
// Tried without gain: strips of columns whose sums down the columns stay in the first-level cache until they are
// blurred along the rows; rows fetched there by prefetches.

#if defined(OCTAVO_BLUR_PER_ISA) == defined(HWY_TARGET_TOGGLE)
#ifdef OCTAVO_BLUR_PER_ISA
#undef OCTAVO_BLUR_PER_ISA
#else
#define OCTAVO_BLUR_PER_ISA
#endif

#include <array>
#include <utility>

#include <hwy/cache_control.h>

#include "engine/maths/per_isa.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

/// Copies columns [x_begin, x_end), rounded out to whole vectors, past the cache: the plane is larger than it. x_begin
/// is a multiple of 16.
inline void copy_columns(const float* in, int x_begin, int x_end, float* out) {
  namespace hn = vector::hn;
  const vector::FloatTag d;
  for (int x = x_begin; x < x_end; x += static_cast<int>(hn::Lanes(d))) hn::Stream(hn::LoadU(d, in + x), d, out + x);
}

/// The number of output rows that are made together down the columns.
inline constexpr int blurred_rows = 4;

// Returns whether the result is certain.
template <class Sums, int vectors>
HWY_INLINE bool blur_four_rows_by(const float* const* rows, const float* weight, int radius, int x, float* const* out) {
  using namespace vector;
  const FloatTag d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(FloatTag())), n = blurred_rows;
  // above[i] and below[i] are the input rows at distance k from output row i.
  float_v above[n][vectors], below[n][vectors];
  typename Sums::Sum sum[n][vectors];
  typename Sums::Doubts doubts = Sums::no_doubts();
  const float_v centre = splat(weight[0]);
#pragma GCC unroll 4
  for (int i = 0; i < n; ++i) {
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) {
      above[i][v] = below[i][v] = hn::LoadU(d, rows[radius + i] + x + v * lanes);
      sum[i][v] = Sums::begin(centre * above[i][v], doubts);
    }
  }
  for (int k = 1; k <= radius; ++k) {
    const auto w = Sums::weight(weight[k]);
    const float* next_above = rows[radius - k] + x;
    const float* next_below = rows[radius + n - 1 + k] + x;
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) {
#pragma GCC unroll 4
      for (int i = n - 1; i > 0; --i) above[i][v] = above[i - 1][v];
      above[0][v] = hn::LoadU(d, next_above + v * lanes);
#pragma GCC unroll 4
      for (int i = 0; i < n - 1; ++i) below[i][v] = below[i + 1][v];
      below[n - 1][v] = hn::LoadU(d, next_below + v * lanes);
#pragma GCC unroll 4
      for (int i = 0; i < n; ++i) sum[i][v] = Sums::add(sum[i][v], w, above[i][v] + below[i][v], doubts);
    }
  }
#pragma GCC unroll 4
  for (int i = 0; i < n; ++i) {
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) hn::StoreU(Sums::end(sum[i][v], doubts), d, out[i] + x + v * lanes);
  }
  return !Sums::are_wrong(doubts);
}

template <int vectors>
HWY_INLINE void blur_four_rows_at(const float* const* rows, const float* weight, int radius, int x, float* const* out) {
  if (blur_four_rows_by<vector::QuickSums, vectors>(rows, weight, radius, x, out)) return;
  blur_four_rows_by<vector::ExactSums, vectors>(rows, weight, radius, x, out);
}

/// Columns [x_begin, x_end), rounded out to whole vectors, of four neighbouring output rows. rows[0 … 2·radius + 3] are
/// the input rows from `radius` above the first to `radius` below the last.
inline void blur_four_rows(const float* const* rows, const float* weight, int radius, int x_begin, int x_end,
                           float* const* out) {
  constexpr int lanes = static_cast<int>(vector::hn::MaxLanes(vector::FloatTag()));
  constexpr int vectors = HWY_MAX_BYTES >= 64 ? 2 : 1;  // as many as fit into the registers
  int x = x_begin;
  for (; x + vectors * lanes <= x_end; x += vectors * lanes) {
    blur_four_rows_at<vectors>(rows, weight, radius, x, out);
  }
  for (; x < x_end; x += lanes) blur_four_rows_at<1>(rows, weight, radius, x, out);
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
// The largest radius whose taps are unrolled: no register is moved from distance to distance then.
inline constexpr int widest_unrolled = 16;
inline constexpr int most_blurred_rows = 8;

// Eight vectors below each other, with those at distance k from them.
struct EightRows {
  static constexpr int n = most_blurred_rows;
  vector::float_v above[n], below[n], sum[n];

  HWY_INLINE void add_pairs(const float* above_them, const float* below_them, float weight) {
    using namespace vector;
#pragma GCC unroll 8
    for (int i = n - 1; i > 0; --i) above[i] = above[i - 1];
    above[0] = hn::LoadU(FloatTag(), above_them);
#pragma GCC unroll 8
    for (int i = 0; i < n - 1; ++i) below[i] = below[i + 1];
    below[n - 1] = hn::LoadU(FloatTag(), below_them);
#pragma GCC unroll 8
    for (int i = 0; i < n; ++i) sum[i] = fma(splat(weight), above[i] + below[i], sum[i]);
  }
};

template <int radius, int... k>
void blur_eight_rows(const float* const* rows, const float* weight, int x_begin, int x_end, float* const* out,
                     std::integer_sequence<int, k...>) {
  using namespace vector;
  constexpr int n = most_blurred_rows;
  for (int x = x_begin; x < x_end; x += 16) {
    EightRows at;
#pragma GCC unroll 8
    for (int i = 0; i < n; ++i) {
      at.above[i] = at.below[i] = hn::LoadU(FloatTag(), rows[radius + i] + x);
      at.sum[i] = splat(weight[0]) * at.above[i];
    }
    (at.add_pairs(rows[radius - 1 - k] + x, rows[radius + n + k] + x, weight[k + 1]), ...);
#pragma GCC unroll 8
    for (int i = 0; i < n; ++i) hn::StoreU(at.sum[i], FloatTag(), out[i] + x);
  }
}

template <int radius>
void blur_eight_rows_of(const float* const* rows, const float* weight, int x_begin, int x_end, float* const* out) {
  blur_eight_rows<radius>(rows, weight, x_begin, x_end, out, std::make_integer_sequence<int, radius>());
}

template <int... radius>
constexpr auto row_blurs_by_radius(std::integer_sequence<int, radius...>) {
  return std::array{&blur_eight_rows_of<radius + 1>...};
}
#else
inline constexpr int most_blurred_rows = blurred_rows;
#endif

/// The same of `count` output rows. More are made, most_blurred_rows − 1 at most, so that as many more input rows must
/// be there.
inline void blur_rows(const float* const* rows, int count, const float* weight, int radius, int x_begin, int x_end,
                      float* const* out) {
  int made = 0;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  constexpr auto unrolled = row_blurs_by_radius(std::make_integer_sequence<int, widest_unrolled>());
  if (radius >= 1 && radius <= widest_unrolled) {
    for (; count - made > blurred_rows; made += most_blurred_rows)
      unrolled[static_cast<std::size_t>(radius) - 1](rows + made, weight, x_begin, x_end, out + made);
  }
#endif
  for (; made < count; made += blurred_rows) blur_four_rows(rows + made, weight, radius, x_begin, x_end, out + made);
}

/// The number of vectors that are blurred along a row together.
inline constexpr int vectors_along_row = HWY_MAX_BYTES >= 64 ? 8 : 4;

// Returns whether the result is certain.
template <class Sums, int vectors>
HWY_INLINE bool blur_along_row_by(const float* in, const float* weight, int radius, int x, float* out) {
  using namespace vector;
  const FloatTag d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(FloatTag()));
  typename Sums::Sum sum[vectors];
  typename Sums::Doubts doubts = Sums::no_doubts();
  for (int v = 0; v < vectors; ++v) {
    sum[v] = Sums::begin(splat(weight[0]) * hn::LoadU(d, in + x + v * lanes), doubts);
  }
  for (int k = 1; k <= radius; ++k) {
    const auto w = Sums::weight(weight[k]);
    for (int v = 0; v < vectors; ++v) {
      const float* at = in + x + v * lanes;
      sum[v] = Sums::add(sum[v], w, hn::LoadU(d, at - k) + hn::LoadU(d, at + k), doubts);
    }
  }
  for (int v = 0; v < vectors; ++v) hn::StoreU(Sums::end(sum[v], doubts), d, out + x + v * lanes);
  return !Sums::are_wrong(doubts);
}

template <int vectors>
HWY_INLINE void blur_along_row_at(const float* in, const float* weight, int radius, int x, float* out) {
  if (blur_along_row_by<vector::QuickSums, vectors>(in, weight, radius, x, out)) return;
  blur_along_row_by<vector::ExactSums, vectors>(in, weight, radius, x, out);
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
// A vector of 16 floats fills a cache line, so that every unaligned load costs two. Instead three neighbouring vectors
// stay in registers and slide along the row; neighbours at distance k are cut out of two of them. One of four is
// loaded all the same, so that neither loads nor shuffles wait for the other.
template <int radius, int... k>
void blur_along_row_sliding(const float* in, const float* weight, int x_begin, int x_end, float* out, float* kept,
                            std::integer_sequence<int, k...>) {
  using namespace vector;
  const FloatTag d;
  const float_v centre = splat(weight[0]);
  const float_v side[] = {splat(weight[k + 1])...};
  float_v before = hn::LoadU(d, in + x_begin - 16), here = hn::LoadU(d, in + x_begin);
  for (int x = x_begin; x < x_end; x += 16) {
    const float_v after = hn::LoadU(d, in + x + 16);
    const auto pair = [&]<int distance>(std::integral_constant<int, distance>) HWY_ATTR {
      if constexpr (distance == 16) {
        return before + after;
      } else if constexpr (distance % 4 == 1) {
        return hn::LoadU(d, in + x - distance) + hn::LoadU(d, in + x + distance);
      } else {
        const __m512i a = _mm512_castps_si512(before.raw), b = _mm512_castps_si512(here.raw),
                      c = _mm512_castps_si512(after.raw);
        return float_v{_mm512_castsi512_ps(_mm512_alignr_epi32(b, a, 16 - distance))} +
               float_v{_mm512_castsi512_ps(_mm512_alignr_epi32(c, b, distance))};
      }
    };
    float_v sum = centre * here;
    ((sum = fma(side[k], pair(std::integral_constant<int, k + 1>()), sum)), ...);
    hn::StoreU(sum, d, out + x);
    if (kept) hn::Stream(sum, d, kept + x);
    before = here;
    here = after;
  }
}

template <int radius>
void blur_along_row_of(const float* in, const float* weight, int x_begin, int x_end, float* out, float* kept) {
  blur_along_row_sliding<radius>(in, weight, x_begin, x_end, out, kept, std::make_integer_sequence<int, radius>());
}

template <int... radius>
constexpr auto blurs_by_radius(std::integer_sequence<int, radius...>) {
  return std::array{&blur_along_row_of<radius + 1>...};
}
#endif

/// Columns [x_begin, x_end), rounded out to whole vectors, of one output row; `in` holds `radius` more to either side,
/// and may be read up to a vector beyond. Unless it is null, `kept` gets them too, past the cache: x_begin is a
/// multiple of 16 then. Memory takes them while the next ones are computed.
inline void blur_along_row(const float* in, const float* weight, int radius, int x_begin, int x_end, float* out,
                           float* kept = nullptr) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  constexpr auto unrolled = blurs_by_radius(std::make_integer_sequence<int, widest_unrolled>());
  if (radius >= 1 && radius <= widest_unrolled)
    return unrolled[static_cast<std::size_t>(radius) - 1](in, weight, x_begin, x_end, out, kept);
#endif
  constexpr int lanes = static_cast<int>(vector::hn::MaxLanes(vector::FloatTag()));
  int x = x_begin;
  for (; x + vectors_along_row * lanes <= x_end; x += vectors_along_row * lanes) {
    blur_along_row_at<vectors_along_row>(in, weight, radius, x, out);
  }
  for (; x < x_end; x += lanes) blur_along_row_at<1>(in, weight, radius, x, out);
  if (kept) copy_columns(out, x_begin, x_end, kept);
}

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
