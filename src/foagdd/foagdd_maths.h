// How much of a corner a pixel is: det M / tr M, as a whole number. Included inside a namespace that has the words of
// scalar_words.h or vector_words.h.
//
// The measure grows with the contrast to the power 2K − 2 and its determinant does not fit a float32. It is kept as
// exponent and mantissa in one integer, so that integers compare as measures do, and an image of 2^k times the contrast
// has exactly the same corners at 2^(k(2K − 2)) times the threshold.

/// key = (e + 1500)·2^20 + m for a measure of 2^e·(1 + m/2^20), its mantissa cut off; 0 for one of 0 or below 2^−1500.
/// The largest measure, of K = 16 and a window of 11 pixels, is below 2^430.
OCTAVO_CONSTANT int key_mantissa_bits = 20;
OCTAVO_CONSTANT int key_bias = 1500;

/// Half the width of the disc `row` rows from its centre: of the pixels within window/2 of it. For 7: 3, 3, 2, 1.
OCTAVO_INLINE int disc_half_width(int row, int window) {
  int extent = window / 2;
  while (4 * (extent * extent + row * row) > window * window) --extent;
  return extent;
}

/// Of a float above 2^−126: its exponent, and itself brought into [1, 2).
OCTAVO_INLINE integer exponent_of(real x) { return minus(shift_right(bits_of_real(x), 23), whole(127)); }
OCTAVO_INLINE real mantissa_of(real x) {
  return real_of_bits(plus(bit_and(bits_of_real(x), whole(0x7fffff)), whole(0x3f800000)));
}

/// The key of the symmetric matrix M, whose upper triangle `m` holds row by row, K·(K + 1)/2 numbers, and which is
/// overwritten. det M is the product of the pivots of M = LDLᵀ without exchanges; 0 where one of them is not above
/// 2^−100.
OCTAVO_INLINE integer measure_key(real* m, int directions) {
  real trace = m[0];
  OCTAVO_UNROLL for (int a = 1, at = directions; a < directions; at += directions - a, ++a) trace = trace + m[at];
  const real least = constant(7.888609052210118e-31f);
  truth regular = less(least, m[0]);
  real mantissas = constant(1.0f);
  integer exponents = whole(key_bias - 127);
  real* row = m;
  OCTAVO_UNROLL for (int length = directions; length > 0; --length) {
    const real pivot = row[0];
    regular = both(regular, less(least, pivot));
    mantissas = mantissas * mantissa_of(pivot);
    exponents = plus(exponents, exponent_of(pivot));
    const real inverse = constant(1.0f) / pivot;
    real* other = row + length;
    OCTAVO_UNROLL for (int i = 1; i < length; ++i) {
      const real factor = constant(0.0f) - row[i] * inverse;
      OCTAVO_UNROLL for (int j = i; j < length; ++j) other[j - i] = fused(factor, row[j], other[j - i]);
      other += length - i;
    }
    row += length;
  }
  // The mantissas' product is below 2^16; the exponent bits of the quotient add to the others.
  const integer quotient = bits_of_real(mantissas / mantissa_of(trace));
  exponents = minus(exponents, exponent_of(trace));
  const integer key = plus(shift_right(quotient, 23 - key_mantissa_bits), shift_left(exponents, key_mantissa_bits));
  return choose_whole(regular, larger(key, whole(0)), whole(0));
}
