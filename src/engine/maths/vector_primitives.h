// The primitives of scalar_primitives.h for as many numbers at a time as the instruction set's vectors hold. Included
// once per instruction set, inside its namespace.

namespace hn = hwy::HWY_NAMESPACE;
using FloatTag = hn::ScalableTag<float>;
using IntTag = hn::RebindToSigned<FloatTag>;
using float_v = hn::Vec<FloatTag>;
using int_v = hn::Vec<IntTag>;
using mask_v = hn::Mask<FloatTag>;

HWY_INLINE float_v splat(float x) { return hn::Set(FloatTag(), x); }
HWY_INLINE int_v splat_int(std::int32_t x) { return hn::Set(IntTag(), x); }

#if HWY_NATIVE_FMA
HWY_INLINE float_v fma(float_v a, float_v b, float_v c) { return hn::MulAdd(a, b, c); }
#endif  // or fused_primitives.h has it: Highway would round twice

HWY_INLINE float_v sqrt(float_v x) { return hn::Sqrt(x); }
HWY_INLINE float_v fabs(float_v x) { return hn::Abs(x); }
HWY_INLINE float_v negate(float_v x) { return hn::Neg(x); }
HWY_INLINE float_v minimum(float_v a, float_v b) { return hn::Min(a, b); }
HWY_INLINE float_v maximum(float_v a, float_v b) { return hn::Max(a, b); }
HWY_INLINE float_v floor(float_v x) { return hn::Floor(x); }
// To the nearest, ties to even, for |x| ≤ 2^22. hn::NearestInt guards against overflow, which takes longer.
HWY_INLINE int_v round_to_int(float_v x) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  return int_v{_mm512_cvtps_epi32(x.raw)};
#elif HWY_TARGET == HWY_AVX2
  return int_v{_mm256_cvtps_epi32(x.raw)};
#else  // adding 1.5·2^23 leaves the rounded integer in the low bits
  const float shift = 12582912.0f;
  return hn::BitCast(IntTag(), x + splat(shift)) - splat_int(std::bit_cast<std::int32_t>(shift));
#endif
}
HWY_INLINE float_v to_float(int_v x) { return hn::ConvertTo(FloatTag(), x); }
HWY_INLINE float_v quotient_of_sizes(float_v a, float_v b) { return a / b; }
HWY_INLINE float_v root_of_square(float_v x) { return sqrt(x); }
HWY_INLINE float_v round_to_float(float_v x) { return to_float(round_to_int(x)); }
HWY_INLINE mask_v less_than(float_v a, float_v b) { return hn::Lt(a, b); }
HWY_INLINE mask_v equal(int_v a, int_v b) { return hn::RebindMask(FloatTag(), hn::Eq(a, b)); }
HWY_INLINE mask_v logical_and(mask_v a, mask_v b) { return hn::And(a, b); }
HWY_INLINE float_v if_then_else(mask_v t, float_v yes, float_v no) { return hn::IfThenElse(t, yes, no); }
HWY_INLINE int_v add(int_v a, int_v b) { return hn::Add(a, b); }
HWY_INLINE int_v subtract(int_v a, int_v b) { return hn::Sub(a, b); }
HWY_INLINE int_v bit_and(int_v a, int_v b) { return hn::And(a, b); }
HWY_INLINE int_v shift_left(int_v a, int bits) { return hn::ShiftLeftSame(a, bits); }
HWY_INLINE int_v shift_right(int_v a, int bits) { return hn::ShiftRightSame(a, bits); }
HWY_INLINE int_v max_int(int_v a, int_v b) { return hn::Max(a, b); }
HWY_INLINE int_v if_then_else_int(mask_v t, int_v yes, int_v no) {
  return hn::IfThenElse(hn::RebindMask(IntTag(), t), yes, no);
}
HWY_INLINE int_v float_bits_to_int(float_v x) { return hn::BitCast(IntTag(), x); }
HWY_INLINE float_v int_bits_to_float(int_v x) { return hn::BitCast(FloatTag(), x); }
HWY_INLINE float_v exp2_int(int_v n) {
  return hn::BitCast(FloatTag(), hn::ShiftLeft<23>(hn::Add(n, hn::Set(IntTag(), 127))));
}
