// The stages of FOAGDD on rows, a vector of pixels at a time. Included by files that Highway compiles once per
// instruction set.

#if defined(OCTAVO_FOAGDD_PER_ISA) == defined(HWY_TARGET_TOGGLE)
#ifdef OCTAVO_FOAGDD_PER_ISA
#undef OCTAVO_FOAGDD_PER_ISA
#else
#define OCTAVO_FOAGDD_PER_ISA
#endif

#include <algorithm>

#include "engine/foagdd/foagdd_cpu.h"
#include "engine/maths/per_isa.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

namespace scalar {
#include "engine/foagdd/foagdd_maths.h"
}  // namespace scalar
namespace vector {
#include "engine/foagdd/foagdd_maths.h"
}  // namespace vector

/// The responses of `count` pixels from `centre` on, as K rows `pitch` apart of whole vectors. `fixed` is K as a
/// constant, which keeps the sums in registers, or 0.
template <int fixed>
HWY_INLINE void respond_row_of(const float* centre, const FoagddFilterOnImage& image, int count, float* out,
                               std::ptrdiff_t pitch) {
  using namespace vector;
  const FloatTag d;
  const FoagddFilter& filter = *image.filter;
  const int k = fixed > 0 ? fixed : filter.directions;
  const int odd_parts = (k + 1) / 2, even_parts = k / 2;
  constexpr int most_parts = fixed > 0 ? (fixed + 1) / 2 : 8;
  const FoagddFilterOnImage::Distance* const taps = image.taps.data();
  const int axis = filter.below + filter.aside, all = static_cast<int>(filter.taps.size());
  for (int x = 0; x < count; x += static_cast<int>(hn::Lanes(d))) {
    const float* at = centre + x;
    float_v odd[most_parts], even[most_parts];
    for (int i = 0; i < most_parts; ++i) odd[i] = even[i] = splat(0.0f);
    const float* weight = filter.weights.data();
    for (int t = 0; t < filter.below; ++t, weight += k) {
      const float_v fold = hn::LoadU(d, at + taps[t].forward) - hn::LoadU(d, at - taps[t].forward);
      for (int i = 0; i < odd_parts; ++i) odd[i] = fma(splat(weight[i]), fold, odd[i]);
    }
    for (int t = filter.below; t < axis; ++t, weight += k) {
      const float_v fold = hn::LoadU(d, at + taps[t].forward) - hn::LoadU(d, at - taps[t].forward);
      for (int i = 0; i < even_parts; ++i) even[i] = fma(splat(weight[odd_parts + i]), fold, even[i]);
    }
    for (int t = axis; t < all; ++t, weight += k) {
      const float_v forward = hn::LoadU(d, at + taps[t].forward) - hn::LoadU(d, at - taps[t].forward);
      const float_v backward = hn::LoadU(d, at + taps[t].backward) - hn::LoadU(d, at - taps[t].backward);
      const float_v sum = forward + backward, difference = forward - backward;
      for (int i = 0; i < odd_parts; ++i) odd[i] = fma(splat(weight[i]), sum, odd[i]);
      for (int i = 0; i < even_parts; ++i) even[i] = fma(splat(weight[odd_parts + i]), difference, even[i]);
    }
    hn::StoreU(fabs(odd[0]), d, out + x);
    for (int i = 1; i < odd_parts; ++i) {
      hn::StoreU(fabs(odd[i] + even[i - 1]), d, out + i * pitch + x);
      hn::StoreU(fabs(odd[i] - even[i - 1]), d, out + (k - i) * pitch + x);
    }
    if (k % 2 == 0) hn::StoreU(fabs(even[even_parts - 1]), d, out + k / 2 * pitch + x);
  }
}

inline void respond_row(const float* centre, const FoagddFilterOnImage& image, int count, float* out,
                        std::ptrdiff_t pitch) {
  if (image.filter->directions == 8) return respond_row_of<8>(centre, image, count, out, pitch);
  respond_row_of<0>(centre, image, count, out, pitch);
}

/// The products of two rows of responses, which begin `reach` pixels to the left, and their sums over 2n + 1 pixels for
/// n = 1 … reach, in whole vectors. sums[n] is null if it is not needed. `products` has room for count + 2·reach and
/// two vectors.
inline void sum_products(const float* a, const float* b, int count, int reach, float* products, float* const* sums) {
  using namespace vector;
  const FloatTag d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < count + 2 * reach; x += lanes) {
    hn::StoreU(hn::LoadU(d, a + x) * hn::LoadU(d, b + x), d, products + x);
  }
  for (int x = 0; x < count; x += lanes) {
    const float* at = products + reach + x;
    float_v sum = (hn::LoadU(d, at - 1) + hn::LoadU(d, at + 1)) + hn::LoadU(d, at);
    if (sums[1] != nullptr) hn::StoreU(sum, d, sums[1] + x);
    for (int n = 2; n <= reach; ++n) {
      sum = sum + (hn::LoadU(d, at - n) + hn::LoadU(d, at + n));
      if (sums[n] != nullptr) hn::StoreU(sum, d, sums[n] + x);
    }
  }
}

/// The keys of a row of pixels, in whole vectors. `rows` contains, for each product of two directions, the 2·reach + 1
/// rows of sums that make up the disc, the outermost pair first, the middle last.
template <int fixed>
HWY_INLINE void keys_of_row(const float* const* rows, int directions, int reach, int count, std::int32_t* keys) {
  using namespace vector;
  const FloatTag d;
  const int k = fixed > 0 ? fixed : directions, products = k * (k + 1) / 2;
  constexpr int most = fixed > 0 ? fixed * (fixed + 1) / 2 : 136;
  for (int x = 0; x < count; x += static_cast<int>(hn::Lanes(d))) {
    float_v m[most];
    const float* const* row = rows;
    for (int i = 0; i < products; ++i) {
      float_v sum = hn::LoadU(d, row[0] + x) + hn::LoadU(d, row[1] + x);
      for (int n = 1; n < reach; ++n) {
        sum = sum + (hn::LoadU(d, row[2 * n] + x) + hn::LoadU(d, row[2 * n + 1] + x));
      }
      m[i] = sum + hn::LoadU(d, row[2 * reach] + x);
      row += 2 * reach + 1;
    }
    hn::StoreU(measure_key(m, k), IntTag(), keys + x);
  }
}

inline void measure_row(const float* const* rows, int directions, int reach, int count, std::int32_t* keys) {
  if (directions == 8) return keys_of_row<8>(rows, directions, reach, count, keys);
  keys_of_row<0>(rows, directions, reach, count, keys);
}

/// Floats from one pixel of a square to the next, with room for 16 directions in whole vectors.
inline constexpr int square_pitch = 16;

/// Adds up the products of response `a` and those of a vector of directions from `b` on, over the disc around the
/// square's middle. `disc` contains half the widths of its rows, from the middle one on.
HWY_INLINE vector::float_v sum_over_disc(const float* square, const int* disc, int reach, int a, int b) {
  using namespace vector;
  const FloatTag d;
  const int window = 2 * reach + 1;
  const auto along_row = [&](int i) {
    const float* const centre = square + ((i + reach) * window + reach) * square_pitch;
    const auto product = [&](int j) {
      const float* at = centre + j * square_pitch;
      return splat(at[a]) * hn::LoadU(d, at + b);
    };
    float_v sum = (product(-1) + product(1)) + product(0);
    for (int j = 2; j <= disc[i < 0 ? -i : i]; ++j) sum = sum + (product(-j) + product(j));
    return sum;
  };
  float_v sum = along_row(-reach) + along_row(reach);
  for (int i = reach - 1; i >= 1; --i) sum = sum + (along_row(-i) + along_row(i));
  return sum + along_row(0);
}

/// The key of one pixel. The vectors hold directions and not pixels of a row, since only `window` pixels of each row
/// are needed. `corner` is the square's first pixel in an image with rows `stride` apart. `row` has room for K rows of
/// the square, two vectors longer, `pitch` apart. `square` has room for its pixels and one vector.
inline std::int32_t measure_pixel(const float* corner, std::ptrdiff_t stride, const FoagddFilterOnImage& image,
                                  const int* disc, int reach, float* row, std::ptrdiff_t pitch, float* square) {
  using vector::FloatTag;
  const FloatTag d;
  const int lanes = static_cast<int>(hn::Lanes(d)), k = image.filter->directions, window = 2 * reach + 1;
  for (int i = 0; i < window; ++i) {
    respond_row(corner + i * stride, image, window, row, pitch);
    for (int j = 0; j < window; ++j) {
      float* const pixel = square + (i * window + j) * square_pitch;
      for (int a = 0; a < k; ++a) pixel[a] = row[a * pitch + j];
    }
  }
  float m[136] = {};
  HWY_ALIGN float sums[square_pitch];
  float* next = m;
  for (int a = 0; a < k; ++a) {
    for (int b = a / lanes * lanes; b < k; b += lanes) {
      hn::Store(sum_over_disc(square, disc, reach, a, b), d, sums + b);
    }
    next = std::copy(sums + a, sums + k, next);
  }
  return scalar::measure_key(m, k);
}

/// The columns of a row, from suppression_reach to count − suppression_reach, whose key exceeds the threshold and is
/// the highest of its 5×5 neighbourhood. `rows` contains five rows of `count` keys. `highest` has room for `count`
/// keys. The compiler vectorises the loops.
inline int find_highest(const std::int32_t* const* rows, int count, std::int32_t threshold, std::int32_t* highest,
                        std::int32_t* columns) {
  for (int x = 0; x < count; ++x) {
    highest[x] = std::max(std::max(std::max(rows[0][x], rows[1][x]), std::max(rows[3][x], rows[4][x])), rows[2][x]);
  }
  int found = 0;
  for (int x = suppression_reach; x < count - suppression_reach; ++x) {
    const std::int32_t key = rows[2][x];
    if (key <= threshold || key < highest[x]) continue;
    if (key < std::max(std::max(highest[x - 2], highest[x - 1]), std::max(highest[x + 1], highest[x + 2]))) continue;
    columns[found++] = x;
  }
  return found;
}

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
