// The primitives of vector_primitives.h for two vectors at a time. Long chains of operations wait for each other. Two
// chains side by side fill these waits, since each primitive does the first vector and then the second. Included once
// per instruction set, inside a namespace next to `vector`.
//
// A struct of these types is made with all its members at once. The constructor without arguments, which the compiler
// writes, lacks the instruction set of the file: GCC refuses to inline that of NEON's vectors into it ("target specific
// option mismatch").

struct float_v {
  vector::float_v first, second;
};
struct int_v {
  vector::int_v first, second;
};
struct mask_v {
  vector::mask_v first, second;
};

HWY_INLINE float_v splat(float x) { return {vector::splat(x), vector::splat(x)}; }
HWY_INLINE int_v splat_int(std::int32_t x) { return {vector::splat_int(x), vector::splat_int(x)}; }

HWY_INLINE float_v operator+(float_v a, float_v b) { return {a.first + b.first, a.second + b.second}; }
HWY_INLINE float_v operator-(float_v a, float_v b) { return {a.first - b.first, a.second - b.second}; }
HWY_INLINE float_v operator*(float_v a, float_v b) { return {a.first * b.first, a.second * b.second}; }
HWY_INLINE float_v operator/(float_v a, float_v b) { return {a.first / b.first, a.second / b.second}; }

HWY_INLINE float_v fma(float_v a, float_v b, float_v c) {
  return {vector::fma(a.first, b.first, c.first), vector::fma(a.second, b.second, c.second)};
}
HWY_INLINE float_v fma_of_whole(float_v a, float_v b, float_v c) {
  return {vector::fma_of_whole(a.first, b.first, c.first), vector::fma_of_whole(a.second, b.second, c.second)};
}
HWY_INLINE float_v sqrt(float_v x) { return {vector::sqrt(x.first), vector::sqrt(x.second)}; }
HWY_INLINE float_v fabs(float_v x) { return {vector::fabs(x.first), vector::fabs(x.second)}; }
HWY_INLINE float_v negate(float_v x) { return {vector::negate(x.first), vector::negate(x.second)}; }
HWY_INLINE float_v minimum(float_v a, float_v b) {
  return {vector::minimum(a.first, b.first), vector::minimum(a.second, b.second)};
}
HWY_INLINE float_v maximum(float_v a, float_v b) {
  return {vector::maximum(a.first, b.first), vector::maximum(a.second, b.second)};
}
HWY_INLINE float_v floor(float_v x) { return {vector::floor(x.first), vector::floor(x.second)}; }
HWY_INLINE float_v quotient_of_sizes(float_v a, float_v b) { return a / b; }
HWY_INLINE float_v root_of_square(float_v x) { return sqrt(x); }
HWY_INLINE float_v round_to_float(float_v x) {
  return {vector::round_to_float(x.first), vector::round_to_float(x.second)};
}
HWY_INLINE int_v round_to_int(float_v x) { return {vector::round_to_int(x.first), vector::round_to_int(x.second)}; }
HWY_INLINE float_v to_float(int_v x) { return {vector::to_float(x.first), vector::to_float(x.second)}; }
HWY_INLINE mask_v less_than(float_v a, float_v b) {
  return {vector::less_than(a.first, b.first), vector::less_than(a.second, b.second)};
}
HWY_INLINE mask_v equal(int_v a, int_v b) {
  return {vector::equal(a.first, b.first), vector::equal(a.second, b.second)};
}
HWY_INLINE mask_v logical_and(mask_v a, mask_v b) {
  return {vector::logical_and(a.first, b.first), vector::logical_and(a.second, b.second)};
}
HWY_INLINE float_v if_then_else(mask_v t, float_v yes, float_v no) {
  return {vector::if_then_else(t.first, yes.first, no.first), vector::if_then_else(t.second, yes.second, no.second)};
}
HWY_INLINE int_v add(int_v a, int_v b) { return {vector::add(a.first, b.first), vector::add(a.second, b.second)}; }
HWY_INLINE int_v bit_and(int_v a, int_v b) {
  return {vector::bit_and(a.first, b.first), vector::bit_and(a.second, b.second)};
}
HWY_INLINE float_v exp2_int(int_v n) { return {vector::exp2_int(n.first), vector::exp2_int(n.second)}; }

inline constexpr int lanes = 2 * static_cast<int>(vector::hn::MaxLanes(vector::FloatTag()));

// Half of the `lanes` floats from one place in memory, half from another.
HWY_INLINE float_v load(const float* first, const float* second) {
  const vector::FloatTag d;
  return {vector::hn::LoadU(d, first), vector::hn::LoadU(d, second)};
}
// `lanes` floats from memory.
HWY_INLINE float_v load(const float* from) { return load(from, from + lanes / 2); }

// `lanes` integers to memory, aligned as a vector.
HWY_INLINE void store(int_v v, std::int32_t* to) {
  const vector::IntTag d;
  vector::hn::Store(v.first, d, to);
  vector::hn::Store(v.second, d, to + lanes / 2);
}

#if HWY_NATIVE_FMA || HWY_TARGET == HWY_SCALAR
#include "engine/maths/polynomials.h"
#else
HWY_INLINE float_v cubic(float_v x, float c3, float c2, float c1, float c0) {
  return {vector::cubic(x.first, c3, c2, c1, c0), vector::cubic(x.second, c3, c2, c1, c0)};
}
HWY_INLINE float_v quintic(float_v x, float c5, float c4, float c3, float c2, float c1, float c0) {
  return {vector::quintic(x.first, c5, c4, c3, c2, c1, c0), vector::quintic(x.second, c5, c4, c3, c2, c1, c0)};
}
#endif
