// The arithmetic of the trilateral filter, which trilateral.h defines. Included inside a namespace that has the
// primitives of scalar_primitives.h or vector_primitives.h.
//
// Grey values are scaled by √(log2 e / 2) / σ_r, so that the weight of a difference D is 2^(−D²). One fused operation
// then makes the exponent of a tap, including the spatial weight along the row, and no tap needs a division or a
// product of weights.

/// √(log2 e / 2), and its inverse, which is σ_r in scaled grey values.
OCTAVO_CONSTANT float scaled_sigma_r = 0.849321800288019f;
OCTAVO_CONSTANT float one_over_scaled_sigma_r = 1.1774100225154747f;
/// β: the ratio of σ_r to the range of the gradients' magnitudes.
OCTAVO_CONSTANT float range_fraction = 0.15f;
/// 2^-100. Images whose σ_r is not above it stay unchanged.
OCTAVO_CONSTANT float least_sigma_r = 7.888609052210118e-31f;

/// √(x² + y²).
OCTAVO_INLINE float_v magnitude(float_v x, float_v y) { return sqrt(fma(x, x, y * y)); }

/// 2^(−y) for y ≥ 0, and 0 for y ≥ 127. The relative error is below 1.1e-4 for y ≤ 126; the result at 0 is 1.
/// Near-minimax for fractions from −½ to ½; adding 1.5·2^23 leaves the rounded exponent in the low bits. Unlike
/// power_of_2 it is exact at both ends: a pixel alone in its window stays unchanged, and pixels outside the image have
/// no weight. Windows are sums of nothing else, so two terms fewer (from degree 5) save an eighth of the filter's time.
/// They change a grey value by less than 2e-5 (trilateral_test.cc), a two hundredth of a step of 8 bits.
OCTAVO_INLINE float_v two_to_minus(float_v y) {
  const float_v magic = splat(12582912.0f);
  const float_v bounded = minimum(y, splat(127.0f));
  const float_v shifted = magic - bounded;
  const float_v r = bounded + (shifted - magic);
  const float_v p = cubic(r, -0.05500893294811249f, 0.24221095442771912f, -0.6932829022407532f, 1.0f);
  return int_bits_to_float(add(float_bits_to_int(p), shift_left(float_bits_to_int(shifted), 23)));
}

/// Limits a value to the range of grey values: the plane through a pixel may leave it, and later steps rely on it.
OCTAVO_INLINE float_v clipped(float_v grey) {
  const float_v above_zero = if_then_else(less_than(grey, splat(0.0f)), splat(0.0f), grey);
  return if_then_else(less_than(splat(1.0f), above_zero), splat(1.0f), above_zero);
}

/// σ_r of an image, from the least and the largest magnitude of its gradients.
OCTAVO_INLINE float_v sigma_r_of(float_v lowest, float_v highest) { return splat(range_fraction) * (highest - lowest); }

/// The factors that scale grey values, and that scale them back. They are 0 if the output is the input.
OCTAVO_INLINE float_v scale_of(float_v sigma_r) {
  return if_then_else(less_than(splat(least_sigma_r), sigma_r), splat(scaled_sigma_r) / sigma_r, splat(0.0f));
}
OCTAVO_INLINE float_v unscale_of(float_v sigma_r) {
  return if_then_else(less_than(splat(least_sigma_r), sigma_r), sigma_r * splat(one_over_scaled_sigma_r), splat(0.0f));
}
