// fma for instruction sets without one, and what is made of several: polynomials, and sums of products. Included inside
// a namespace that has the types of vector_primitives.h, next to `scalar`.
//
// In double the product of two float32 is exact, and its sum with a third is rounded to 53 bits. Rounding that to 24
// bits differs from rounding once only if the double lies midway between two float32, or if the result is a subnormal
// float32. Vectors with such lanes are rare. They are done again by a sum rounded to odd (scalar_primitives.h).

#if !HWY_NATIVE_FMA && HWY_TARGET != HWY_SCALAR
using DoubleTag = hn::Repartition<double, FloatTag>;
using double_v = hn::Vec<DoubleTag>;
using BitsTag = hn::Repartition<std::int64_t, FloatTag>;

HWY_INLINE double_v lower_half(float_v x) { return hn::PromoteTo(DoubleTag(), hn::LowerHalf(x)); }
HWY_INLINE double_v upper_half(float_v x) { return hn::PromoteTo(DoubleTag(), hn::UpperHalf(hn::Half<FloatTag>(), x)); }
HWY_INLINE float_v narrowed(double_v low, double_v high) {
  const hn::Half<FloatTag> half;
  return hn::Combine(FloatTag(), hn::DemoteTo(half, high), hn::DemoteTo(half, low));
}

// The 29 bits of each sum that a float32 lacks, as the upper bits of an integer.
HWY_INLINE int_v lost_bits(double_v low, double_v high) {
  return hn::ShiftLeft<3>(hn::ConcatEven(IntTag(), hn::BitCast(IntTag(), high), hn::BitCast(IntTag(), low)));
}
inline constexpr std::int32_t lost_bits_midway = std::numeric_limits<std::int32_t>::min();

// To 24 bits, where it is not midway, nor subnormal.
HWY_INLINE double_v rounded_to_float(double_v x) {
  const BitsTag bits;
  const auto shifted = hn::Add(hn::BitCast(bits, x), hn::Set(bits, 1 << 28));
  return hn::BitCast(DoubleTag(), hn::And(shifted, hn::Set(bits, ~((std::int64_t{1} << 29) - 1))));
}

// product + c, rounded to odd.
HWY_INLINE double_v rounded_to_odd(double_v product, double_v c) {
  const DoubleTag d;
  const BitsTag bits;
  const double_v sum = product + c, of_c = sum - product;
  const double_v error = (product - (sum - of_c)) + (c - of_c);
  // Not for infinities, whose error is NaN. Towards 0 if the error leads there, then odd.
  const auto one = hn::Set(bits, 1);
  const auto inexact = hn::BitCast(bits, hn::IfThenElseZero(hn::Gt(hn::Abs(error), hn::Zero(d)), hn::BitCast(d, one)));
  const auto opposed = hn::ShiftRight<63>(hn::BitCast(hn::RebindToUnsigned<BitsTag>(), hn::Xor(sum, error)));
  const auto towards_zero = hn::Sub(hn::BitCast(bits, sum), hn::And(hn::BitCast(bits, opposed), inexact));
  return hn::BitCast(d, hn::Or(towards_zero, inexact));
}

HWY_INLINE float_v fma_of_whole(float_v a, float_v b, float_v c) {
  return narrowed(rounded_to_odd(lower_half(a) * lower_half(b), lower_half(c)),
                  rounded_to_odd(upper_half(a) * upper_half(b), upper_half(c)));
}

HWY_NOINLINE inline float_v fma_by_odd(float_v a, float_v b, float_v c) { return fma_of_whole(a, b, c); }

HWY_INLINE float_v fma(float_v a, float_v b, float_v c) {
  const hn::RebindToUnsigned<IntTag> u;
  const double_v low = lower_half(a) * lower_half(b) + lower_half(c);
  const double_v high = upper_half(a) * upper_half(b) + upper_half(c);
  const float_v sum = narrowed(low, high);
  const auto midway = hn::Eq(lost_bits(low, high), splat_int(lost_bits_midway));
  // Subnormal, or the least normal number; 0 is not.
  const auto below = hn::Sub(hn::BitCast(u, hn::Abs(sum)), hn::Set(u, 1));
  const auto subnormal = hn::Eq(below, hn::Min(below, hn::Set(u, 0x7fffff)));
  if (hn::AllFalse(IntTag(), hn::Or(midway, hn::RebindMask(IntTag(), subnormal)))) [[likely]]
    return sum;
  return fma_by_odd(a, b, c);
}

// The polynomials of polynomials.h. Their steps stay in double, and whether one of them was midway is asked once.
template <class... Coefficients>
HWY_NOINLINE inline float_v polynomial_by_odd(float_v x, float first, Coefficients... others) {
  float_v p = splat(first);
  ((p = fma_by_odd(p, x, splat(others))), ...);
  return p;
}
template <class... Coefficients>
HWY_INLINE float_v polynomial(float_v x, float first, Coefficients... others) {
  const DoubleTag d;
  const double_v low_x = lower_half(x), high_x = upper_half(x);
  double_v low = hn::Set(d, first), high = low;
  int_v least_lost = splat_int(0);
  const auto step = [&](float c) HWY_ATTR {
    low = low * low_x + hn::Set(d, c);
    high = high * high_x + hn::Set(d, c);
    least_lost = hn::Min(least_lost, lost_bits(low, high));
    low = rounded_to_float(low);
    high = rounded_to_float(high);
  };
  (step(others), ...);
  if (hn::AllFalse(IntTag(), hn::Eq(least_lost, splat_int(lost_bits_midway)))) [[likely]]
    return narrowed(low, high);
  return polynomial_by_odd(x, first, others...);
}
HWY_INLINE float_v cubic(float_v x, float c3, float c2, float c1, float c0) { return polynomial(x, c3, c2, c1, c0); }
HWY_INLINE float_v quintic(float_v x, float c5, float c4, float c3, float c2, float c1, float c0) {
  return polynomial(x, c5, c4, c3, c2, c1, c0);
}
#else
#if !HWY_NATIVE_FMA
HWY_INLINE float_v fma(float_v a, float_v b, float_v c) {
  return hn::Set(FloatTag(), scalar::fma(hn::GetLane(a), hn::GetLane(b), hn::GetLane(c)));
}
#endif
HWY_INLINE float_v fma_of_whole(float_v a, float_v b, float_v c) { return fma(a, b, c); }
#include "engine/maths/polynomials.h"
#endif

// Sums of products, of which each is added with one rounding.
struct ExactSums {
  using Sum = float_v;
  using Weight = float_v;
  struct Doubts {};  // that sums have

  static HWY_INLINE Doubts no_doubts() { return {}; }
  static constexpr bool are_wrong(Doubts) { return false; }
  static HWY_INLINE Weight weight(float w) { return splat(w); }
  static HWY_INLINE Sum begin(float_v first, Doubts&) { return first; }
  static HWY_INLINE Sum add(Sum sum, Weight w, float_v x, Doubts&) { return fma(w, x, sum); }
  static HWY_INLINE float_v end(Sum sum, Doubts&) { return sum; }
};

#if HWY_NATIVE_FMA || HWY_TARGET == HWY_SCALAR
using QuickSums = ExactSums;
#else
// The same of weights and values that are not negative, in less time. The sums stay in double, and whether one of them
// was midway is asked once, at the end. They never fall, so that none is subnormal if the first is not.
struct QuickSums {
  struct Sum {
    double_v low, high;
  };
  using Weight = double_v;
  struct Doubts {
    int_v least_lost;
    float_v least_first, most_last;
  };

  static HWY_INLINE Doubts no_doubts() { return {splat_int(0), splat(1.0f), splat(0.0f)}; }
  // Whether sums may be wrong, and have to be made again by ExactSums.
  static HWY_INLINE bool are_wrong(const Doubts& doubts) {
    const bool normal = hn::AllTrue(FloatTag(), hn::Ge(doubts.least_first, splat(std::numeric_limits<float>::min())));
    const bool all_zero = hn::AllTrue(FloatTag(), hn::Eq(doubts.most_last, splat(0.0f)));
    return !(normal || all_zero) || !hn::AllFalse(IntTag(), hn::Eq(doubts.least_lost, splat_int(lost_bits_midway)));
  }
  static HWY_INLINE Weight weight(float w) { return hn::Set(DoubleTag(), w); }
  static HWY_INLINE Sum begin(float_v first, Doubts& doubts) {
    doubts.least_first = minimum(doubts.least_first, first);
    return {lower_half(first), upper_half(first)};
  }
  static HWY_INLINE Sum add(Sum sum, Weight w, float_v x, Doubts& doubts) {
    const double_v low = w * lower_half(x) + sum.low, high = w * upper_half(x) + sum.high;
    doubts.least_lost = hn::Min(doubts.least_lost, lost_bits(low, high));
    return {rounded_to_float(low), rounded_to_float(high)};
  }
  static HWY_INLINE float_v end(Sum sum, Doubts& doubts) {
    const float_v narrow = narrowed(sum.low, sum.high);
    doubts.most_last = maximum(doubts.most_last, narrow);
    return narrow;
  }
};
#endif
