// The primitives of Octavo's arithmetic, for one number at a time. Included inside a namespace: once for plain C++, and
// once per instruction set, so that the compiler may use its fma. vector_primitives.h has the same for vectors, and
// kernel_primitives.h for GPU kernels. `float_v` is a float32, `int_v` an int32, `mask_v` the result of a comparison;
// with vectors, one in each lane. Each primitive is one correctly rounded operation. minimum and maximum take neither
// zeros of different signs nor NaN.

using float_v = float;
using int_v = std::int32_t;
using mask_v = bool;

inline float_v splat(float x) { return x; }
inline int_v splat_int(std::int32_t x) { return x; }
#if defined(__x86_64__) && !defined(__FMA__) && !HWY_NATIVE_FMA
// product + c, rounded once, of a product of two float32, which is exact in double. `sum` is the nearest double. Where
// that is not exact, it becomes the one of its two neighbours that is odd, which lies between the same float32 as the
// exact sum and is midway between none (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
inline float_v rounded_once(double product, double c, double sum) {
  const double of_c = sum - product, error = (product - (sum - of_c)) + (c - of_c);
  auto bits = std::bit_cast<std::uint64_t>(sum);
  const bool is_inexact = error < 0 || error > 0;  // not for infinities, whose error is NaN
  if (is_inexact && bits % 2 == 0) bits += (error < 0) == (sum < 0) ? 1 : -1;
  return static_cast<float>(std::bit_cast<double>(bits));
}
#endif

// a·b + c, rounded once.
inline float_v fma(float_v a, float_v b, float_v c) {
#if defined(__x86_64__) && !defined(__FMA__) && !HWY_NATIVE_FMA
  // Without the instruction fmaf is a call. Rounding the sum to double and then to float32 differs from rounding it
  // once only if the double lies midway between two float32, or if the result is a subnormal float32.
  const double product = double{a} * b, sum = product + c;
  const auto bits = std::bit_cast<std::uint64_t>(sum);
  const bool is_midway = (bits & 0x1fffffff) == 0x10000000;
  const bool is_subnormal = ((bits >> 52) & 0x7ff) - 1 < 896;  // 0 is not
  if (is_midway || is_subnormal) [[unlikely]]
    return rounded_once(product, c, sum);
  return static_cast<float>(sum);
#else
  return __builtin_fmaf(a, b, c);
#endif
}
// The same, faster on some machines if one of a and b is a small whole number: many such sums are midway.
inline float_v fma_of_whole(float_v a, float_v b, float_v c) { return fma(a, b, c); }
inline float_v sqrt(float_v x) { return __builtin_sqrtf(x); }
inline float_v fabs(float_v x) { return __builtin_fabsf(x); }
inline float_v negate(float_v x) { return -x; }
inline float_v minimum(float_v a, float_v b) { return a < b ? a : b; }
inline float_v maximum(float_v a, float_v b) { return a < b ? b : a; }
inline float_v floor(float_v x) { return __builtin_floorf(x); }
inline int_v round_to_int(float_v x) { return static_cast<int_v>(__builtin_rintf(x)); }  // ties to even; |x| ≤ 2^22
inline float_v round_to_float(float_v x) { return __builtin_rintf(x); }
inline float_v quotient_of_sizes(float_v a, float_v b) { return a / b; }  // what GPUs have a shorter way for
inline float_v root_of_square(float_v x) { return sqrt(x); }
inline int_v round_any_to_int(float_v x) { return round_to_int(x); }  // |x| < 2^31; slow on GPUs
inline float_v to_float(int_v x) { return static_cast<float_v>(x); }
inline float_v int64_to_float(std::int64_t x) { return static_cast<float_v>(x); }
inline mask_v less_than(float_v a, float_v b) { return a < b; }
inline mask_v equal(int_v a, int_v b) { return a == b; }
inline mask_v logical_and(mask_v a, mask_v b) { return a && b; }
inline float_v if_then_else(mask_v t, float_v yes, float_v no) { return t ? yes : no; }
inline int_v add(int_v a, int_v b) { return a + b; }
inline int_v subtract(int_v a, int_v b) { return a - b; }
inline int_v bit_and(int_v a, int_v b) { return a & b; }
inline int_v shift_left(int_v a, int bits) { return static_cast<int_v>(static_cast<std::uint32_t>(a) << bits); }
inline int_v shift_right(int_v a, int bits) { return a >> bits; }  // keeps the sign
inline int_v max_int(int_v a, int_v b) { return a < b ? b : a; }
inline int_v if_then_else_int(mask_v t, int_v yes, int_v no) { return t ? yes : no; }
inline int_v float_bits_to_int(float_v x) { return std::bit_cast<int_v>(x); }
inline float_v int_bits_to_float(int_v x) { return std::bit_cast<float_v>(x); }
inline float_v exp2_int(int_v n) { return std::bit_cast<float_v>((n + 127) << 23); }  // −126 ≤ n ≤ 127
