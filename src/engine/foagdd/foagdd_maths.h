// The corner measure of a pixel, det M / tr M, as a whole number. Included inside a namespace that has the primitives
// of scalar_primitives.h or vector_primitives.h.
//
// The measure grows with the contrast to the power 2K − 2, and the determinant exceeds the range of a float32. The
// measure is stored as exponent and mantissa in one integer. Such integers compare as measures do, and an image of 2^k
// times the contrast has exactly the same corners at 2^(k(2K − 2)) times the threshold.

/// key = (e + 1500)·2^20 + m for a measure of 2^e·(1 + m/2^20), with the mantissa truncated; 0 for a measure of 0 or
/// below 2^−1500. The largest measure, for K = 16 and a window of 11 pixels, is below 2^430.
OCTAVO_CONSTANT int key_mantissa_bits = 20;
OCTAVO_CONSTANT int key_bias = 1500;

/// Half the width of the disc, `row` rows from its centre. The disc contains the pixels within window/2 of the centre.
/// For 7: 3, 3, 2, 1.
OCTAVO_INLINE int disc_half_width(int row, int window) {
  int extent = window / 2;
  while (4 * (extent * extent + row * row) > window * window) --extent;
  return extent;
}

/// Splits a float above 2^−126 into its exponent and its value in [1, 2).
OCTAVO_INLINE int_v exponent_of(float_v x) { return subtract(shift_right(float_bits_to_int(x), 23), splat_int(127)); }
OCTAVO_INLINE float_v mantissa_of(float_v x) {
  return int_bits_to_float(add(bit_and(float_bits_to_int(x), splat_int(0x7fffff)), splat_int(0x3f800000)));
}

/// The key of the symmetric matrix M. `m` contains its upper triangle row by row, K·(K + 1)/2 numbers, and is
/// overwritten. det M is the product of the pivots of M = LDLᵀ without exchanges; it is 0 if a pivot is not above
/// 2^−100.
OCTAVO_INLINE int_v measure_key(float_v* m, int directions) {
  float_v trace = m[0];
  OCTAVO_UNROLL for (int a = 1, at = directions; a < directions; at += directions - a, ++a) trace = trace + m[at];
  const float_v least = splat(7.888609052210118e-31f);
  mask_v regular = less_than(least, m[0]);
  float_v mantissas = splat(1.0f);
  int_v exponents = splat_int(key_bias - 127);
  float_v* row = m;
  OCTAVO_UNROLL for (int length = directions; length > 0; --length) {
    const float_v pivot = row[0];
    regular = logical_and(regular, less_than(least, pivot));
    mantissas = mantissas * mantissa_of(pivot);
    exponents = add(exponents, exponent_of(pivot));
    const float_v inverse = splat(1.0f) / pivot;
    float_v* other = row + length;
    OCTAVO_UNROLL for (int i = 1; i < length; ++i) {
      const float_v factor = splat(0.0f) - row[i] * inverse;
      OCTAVO_UNROLL for (int j = i; j < length; ++j) other[j - i] = fma(factor, row[j], other[j - i]);
      other += length - i;
    }
    row += length;
  }
  // The product of the mantissas is below 2^16. The exponent bits of the quotient are added to the others.
  const int_v quotient = float_bits_to_int(mantissas / mantissa_of(trace));
  exponents = subtract(exponents, exponent_of(trace));
  const int_v key = add(shift_right(quotient, 23 - key_mantissa_bits), shift_left(exponents, key_mantissa_bits));
  return if_then_else_int(regular, max_int(key, splat_int(0)), splat_int(0));
}
