// The words in which Octavo's arithmetic is written, for one number at a time. Included inside a namespace: once for
// plain C++, and once per instruction set, so that the compiler may use its fma. vector_words.h says the same for
// vectors. `real` is a float32, `integer` an int32, `truth` the answer of a comparison. Each word is one correctly
// rounded operation; minimum and maximum must not be given zeros of different signs, nor NaN.

using real = float;
using integer = std::int32_t;
using truth = bool;
using wide = std::int64_t;

inline real constant(float x) { return x; }
inline integer whole(std::int32_t x) { return x; }
inline real fused(real a, real b, real c) { return __builtin_fmaf(a, b, c); }  // a·b + c, rounded once
inline real square_root(real x) { return __builtin_sqrtf(x); }
inline real absolute(real x) { return __builtin_fabsf(x); }
inline real negative(real x) { return -x; }
inline real minimum(real a, real b) { return a < b ? a : b; }
inline real maximum(real a, real b) { return a < b ? b : a; }
inline real round_down(real x) { return __builtin_floorf(x); }
inline integer nearest(real x) { return static_cast<integer>(__builtin_rintf(x)); }  // ties to even; |x| ≤ 2^22
inline real to_real(integer x) { return static_cast<real>(x); }
inline real wide_to_real(wide x) { return static_cast<real>(x); }
inline truth less(real a, real b) { return a < b; }
inline truth same(integer a, integer b) { return a == b; }
inline truth both(truth a, truth b) { return a && b; }
inline real choose(truth t, real yes, real no) { return t ? yes : no; }
inline integer plus(integer a, integer b) { return a + b; }
inline integer minus(integer a, integer b) { return a - b; }
inline integer bit_and(integer a, integer b) { return a & b; }
inline integer shift_left(integer a, int bits) { return static_cast<integer>(static_cast<std::uint32_t>(a) << bits); }
inline integer shift_right(integer a, int bits) { return a >> bits; }  // keeps the sign
inline integer larger(integer a, integer b) { return a < b ? b : a; }
inline integer choose_whole(truth t, integer yes, integer no) { return t ? yes : no; }
inline integer bits_of_real(real x) { return std::bit_cast<integer>(x); }
inline real real_of_bits(integer x) { return std::bit_cast<real>(x); }
inline real power_of_two(integer n) { return std::bit_cast<real>((n + 127) << 23); }  // −126 ≤ n ≤ 127
