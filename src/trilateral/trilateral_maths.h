// The arithmetic of the trilateral filter (trilateral.h says what is computed). Included inside a namespace that has
// the words of scalar_words.h or vector_words.h.
//
// Grey values are scaled by √(log2 e / 2) / σ_r, so that the weight of a difference D is 2^(−D²): one fused operation
// then makes the exponent of a tap, spatial weight along the row included, and no tap needs a division or a product of
// weights.

/// √(log2 e / 2), and one over it: what σ_r is in scaled grey values.
OCTAVO_CONSTANT float scaled_sigma_r = 0.849321800288019f;
OCTAVO_CONSTANT float one_over_scaled_sigma_r = 1.1774100225154747f;
/// β: σ_r in ranges of the gradients' magnitudes.
OCTAVO_CONSTANT float range_fraction = 0.15f;
/// 2^-100: images whose σ_r is not above it come out as they are.
OCTAVO_CONSTANT float least_sigma_r = 7.888609052210118e-31f;

/// √(x² + y²).
OCTAVO_INLINE real magnitude(real x, real y) { return square_root(fused(x, x, y * y)); }

/// 2^(−y) for y ≥ 0, and 0 for y ≥ 127. Relative error below 2.5e-7 for y ≤ 126; 1 at 0. Near-minimax for fractions
/// from −½ to ½; adding 1.5·2^23 leaves the rounded exponent in the low bits. Unlike power_of_2 it is exact at both
/// ends: a pixel alone in its window stays what it is, and what lies outside the image weighs nothing.
OCTAVO_INLINE real two_to_minus(real y) {
  const real magic = constant(12582912.0f);
  const real bounded = minimum(y, constant(127.0f));
  const real shifted = magic - bounded;
  const real r = bounded + (shifted - magic);
  real p = constant(-0.001326472731307149f);
  p = fused(p, r, constant(0.009671512991189957f));
  p = fused(p, r, constant(-0.05550733581185341f));
  p = fused(p, r, constant(0.24022242426872253f));
  p = fused(p, r, constant(-0.6931470036506653f));
  p = fused(p, r, constant(1.0f));
  return real_of_bits(plus(bits_of_real(p), shift_left(bits_of_real(shifted), 23)));
}

/// Kept in the range of grey values: the plane through a pixel may lead beyond it, and what comes after relies on it.
OCTAVO_INLINE real clipped(real grey) {
  const real above_zero = choose(less(grey, constant(0.0f)), constant(0.0f), grey);
  return choose(less(constant(1.0f), above_zero), constant(1.0f), above_zero);
}

/// σ_r of an image whose gradients' magnitudes lie between these.
OCTAVO_INLINE real sigma_r_of(real lowest, real highest) { return constant(range_fraction) * (highest - lowest); }

/// What grey values are multiplied by, and what scaled ones are; 0 where the output is the input.
OCTAVO_INLINE real scale_of(real sigma_r) {
  return choose(less(constant(least_sigma_r), sigma_r), constant(scaled_sigma_r) / sigma_r, constant(0.0f));
}
OCTAVO_INLINE real unscale_of(real sigma_r) {
  return choose(less(constant(least_sigma_r), sigma_r), sigma_r * constant(one_over_scaled_sigma_r), constant(0.0f));
}
