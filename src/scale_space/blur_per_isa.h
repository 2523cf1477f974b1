// The two halves of a separable Gaussian blur, on rows in the cache. Included by files that Highway compiles once per
// instruction set.
//
// Sums start at the centre and take symmetric pairs outwards, as scale_space_reference.cc defines. Down the columns two
// rows of output are made at a time: the pair (y − k, y + k) of one shares its pixels with (y + 1 − (k + 1), y + 1 + (k
// − 1)) of the other, so each row is loaded once for both.

#if defined(OCTAVO_BLUR_PER_ISA) == defined(HWY_TARGET_TOGGLE)
#ifdef OCTAVO_BLUR_PER_ISA
#undef OCTAVO_BLUR_PER_ISA
#else
#define OCTAVO_BLUR_PER_ISA
#endif

#include <array>
#include <utility>

#include "maths/per_isa.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

template <int vectors>
HWY_INLINE void blur_two_rows_at(const float* const* rows, const float* weight, int radius, int x, float* out0,
                                 float* out1) {
  using namespace vector;
  const FloatTag d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(FloatTag()));
  float_v low[vectors], high[vectors], sum0[vectors], sum1[vectors];
  const float_v centre = splat(weight[0]);
  for (int v = 0; v < vectors; ++v) {
    low[v] = hn::LoadU(d, rows[radius] + x + v * lanes);
    high[v] = hn::LoadU(d, rows[radius + 1] + x + v * lanes);
    sum0[v] = centre * low[v];
    sum1[v] = centre * high[v];
  }
  for (int k = 1; k <= radius; ++k) {
    const float_v w = splat(weight[k]);
    const float* above = rows[radius - k] + x;
    const float* below = rows[radius + 1 + k] + x;
    for (int v = 0; v < vectors; ++v) {
      const float_v next_low = hn::LoadU(d, above + v * lanes);
      const float_v next_high = hn::LoadU(d, below + v * lanes);
      sum0[v] = fma(w, next_low + high[v], sum0[v]);
      sum1[v] = fma(w, low[v] + next_high, sum1[v]);
      low[v] = next_low;
      high[v] = next_high;
    }
  }
  for (int v = 0; v < vectors; ++v) {
    hn::StoreU(sum0[v], d, out0 + x + v * lanes);
    hn::StoreU(sum1[v], d, out1 + x + v * lanes);
  }
}

/// The number of vectors that fit into the registers together.
inline constexpr int blur_vectors = HWY_MAX_BYTES >= 64 ? 4 : 2;

/// Columns [x_begin, x_end), rounded out to whole vectors, of two neighbouring output rows. rows[0 … 2·radius + 1] are
/// the input rows from `radius` above the first to `radius` below the second.
inline void blur_two_rows(const float* const* rows, const float* weight, int radius, int x_begin, int x_end,
                          float* out0, float* out1) {
  constexpr int lanes = static_cast<int>(vector::hn::MaxLanes(vector::FloatTag()));
  int x = x_begin;
  for (; x + blur_vectors * lanes <= x_end; x += blur_vectors * lanes) {
    blur_two_rows_at<blur_vectors>(rows, weight, radius, x, out0, out1);
  }
  for (; x < x_end; x += lanes) blur_two_rows_at<1>(rows, weight, radius, x, out0, out1);
}

template <int vectors>
HWY_INLINE void blur_along_row_at(const float* in, const float* weight, int radius, int x, float* out) {
  using namespace vector;
  const FloatTag d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(FloatTag()));
  float_v sum[vectors];
  for (int v = 0; v < vectors; ++v) sum[v] = splat(weight[0]) * hn::LoadU(d, in + x + v * lanes);
  for (int k = 1; k <= radius; ++k) {
    const float_v w = splat(weight[k]);
    for (int v = 0; v < vectors; ++v) {
      const float* at = in + x + v * lanes;
      sum[v] = fma(w, hn::LoadU(d, at - k) + hn::LoadU(d, at + k), sum[v]);
    }
  }
  for (int v = 0; v < vectors; ++v) hn::StoreU(sum[v], d, out + x + v * lanes);
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
// A vector of 16 floats fills a cache line, so that every unaligned load costs two. Instead three neighbouring vectors
// stay in registers and slide along the row; neighbours at distance k are cut out of two of them. Two of five are
// loaded all the same, so that loads and shuffles take as long.
inline constexpr int widest_unrolled = 16;

template <int radius, int... k>
void blur_along_row_sliding(const float* in, const float* weight, int x_begin, int x_end, float* out,
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
      } else if constexpr (distance % 5 == 1 || distance % 5 == 3) {
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
    before = here;
    here = after;
  }
}

template <int radius>
void blur_along_row_of(const float* in, const float* weight, int x_begin, int x_end, float* out) {
  blur_along_row_sliding<radius>(in, weight, x_begin, x_end, out, std::make_integer_sequence<int, radius>());
}

template <int... radius>
constexpr auto blurs_by_radius(std::integer_sequence<int, radius...>) {
  return std::array{&blur_along_row_of<radius + 1>...};
}
#endif

/// Columns [x_begin, x_end), rounded out to whole vectors, of one output row; `in` holds `radius` more to either side,
/// and may be read up to a vector beyond.
inline void blur_along_row(const float* in, const float* weight, int radius, int x_begin, int x_end, float* out) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  constexpr auto unrolled = blurs_by_radius(std::make_integer_sequence<int, widest_unrolled>());
  if (radius >= 1 && radius <= widest_unrolled)
    return unrolled[static_cast<std::size_t>(radius) - 1](in, weight, x_begin, x_end, out);
#endif
  constexpr int lanes = static_cast<int>(vector::hn::MaxLanes(vector::FloatTag()));
  int x = x_begin;
  for (; x + 2 * blur_vectors * lanes <= x_end; x += 2 * blur_vectors * lanes) {
    blur_along_row_at<2 * blur_vectors>(in, weight, radius, x, out);
  }
  for (; x < x_end; x += lanes) blur_along_row_at<1>(in, weight, radius, x, out);
}

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
