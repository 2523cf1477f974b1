// The words of scalar_words.h for as many numbers at a time as the instruction set's vectors hold. Included once per
// instruction set, inside its namespace.

namespace hn = hwy::HWY_NAMESPACE;
using Reals = hn::ScalableTag<float>;
using Integers = hn::RebindToSigned<Reals>;
using real = hn::Vec<Reals>;
using integer = hn::Vec<Integers>;
using truth = hn::Mask<Reals>;

HWY_INLINE real constant(float x) { return hn::Set(Reals(), x); }
HWY_INLINE integer whole(std::int32_t x) { return hn::Set(Integers(), x); }

HWY_INLINE real fused(real a, real b, real c) {
#if HWY_NATIVE_FMA
  return hn::MulAdd(a, b, c);
#else  // Highway would round twice: ask for the correctly rounded one, number by number
  constexpr std::size_t lanes = hn::MaxLanes(Reals());
  HWY_ALIGN float va[lanes], vb[lanes], vc[lanes];
  hn::Store(a, Reals(), va);
  hn::Store(b, Reals(), vb);
  hn::Store(c, Reals(), vc);
  for (std::size_t i = 0; i < lanes; ++i) vc[i] = __builtin_fmaf(va[i], vb[i], vc[i]);
  return hn::Load(Reals(), vc);
#endif
}

HWY_INLINE real square_root(real x) { return hn::Sqrt(x); }
HWY_INLINE real absolute(real x) { return hn::Abs(x); }
HWY_INLINE real negative(real x) { return hn::Neg(x); }
HWY_INLINE real minimum(real a, real b) { return hn::Min(a, b); }
HWY_INLINE real maximum(real a, real b) { return hn::Max(a, b); }
HWY_INLINE real round_down(real x) { return hn::Floor(x); }
// Adding 1.5·2^23 leaves the rounded integer in the low bits: two operations, where hn::NearestInt guards against
// overflow.
HWY_INLINE integer nearest(real x) {
  const float shift = 12582912.0f;
  return hn::BitCast(Integers(), x + constant(shift)) - whole(std::bit_cast<std::int32_t>(shift));
}
HWY_INLINE real to_real(integer x) { return hn::ConvertTo(Reals(), x); }
HWY_INLINE truth less(real a, real b) { return hn::Lt(a, b); }
HWY_INLINE truth same(integer a, integer b) { return hn::RebindMask(Reals(), hn::Eq(a, b)); }
HWY_INLINE truth both(truth a, truth b) { return hn::And(a, b); }
HWY_INLINE real choose(truth t, real yes, real no) { return hn::IfThenElse(t, yes, no); }
HWY_INLINE integer plus(integer a, integer b) { return hn::Add(a, b); }
HWY_INLINE integer minus(integer a, integer b) { return hn::Sub(a, b); }
HWY_INLINE integer bit_and(integer a, integer b) { return hn::And(a, b); }
HWY_INLINE integer shift_left(integer a, int bits) { return hn::ShiftLeftSame(a, bits); }
HWY_INLINE integer shift_right(integer a, int bits) { return hn::ShiftRightSame(a, bits); }
HWY_INLINE integer larger(integer a, integer b) { return hn::Max(a, b); }
HWY_INLINE integer choose_whole(truth t, integer yes, integer no) {
  return hn::IfThenElse(hn::RebindMask(Integers(), t), yes, no);
}
HWY_INLINE integer bits_of_real(real x) { return hn::BitCast(Integers(), x); }
HWY_INLINE real real_of_bits(integer x) { return hn::BitCast(Reals(), x); }
HWY_INLINE real power_of_two(integer n) {
  return hn::BitCast(Reals(), hn::ShiftLeft<23>(hn::Add(n, hn::Set(Integers(), 127))));
}
