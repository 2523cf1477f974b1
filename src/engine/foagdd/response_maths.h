// A corner's response: log10 of its measure, from its key (foagdd_maths.h), in whole numbers, so that every device
// gives the same bits. Many GPUs have no double. Included inside a namespace that has the primitives of
// scalar_primitives.h.

/// ⌊ab/2^62⌋ for a, b ≥ 0 and a + b < 2^63.
OCTAVO_INLINE int64_t product_above_62_bits(int64_t a, int64_t b) {
  const int64_t low = 0x7fffffff;
  const int64_t a_high = a >> 31, a_low = a & low, b_high = b >> 31, b_low = b & low;
  return a_high * b_high + ((a_high * b_low + a_low * b_high + ((a_low * b_low) >> 31)) >> 31);
}

/// log10 of the measure, rounded to the nearest float; key > 0. The logarithm to base 2 has 52 fractional bits. They
/// come from the mantissa x, 1 ≤ x < 2, one after the other: a bit is 1 if x² ≥ 2. Then x²/2 replaces x, otherwise x²
/// does.
OCTAVO_INLINE float_v response_of_key(int_v key) {
  int64_t x = (int64_t)((key & ((1 << key_mantissa_bits) - 1)) | 1 << key_mantissa_bits) << (61 - key_mantissa_bits);
  int64_t logarithm = (key >> key_mantissa_bits) - key_bias;
  for (int_v i = 0; i < 52; ++i) {
    x = product_above_62_bits(x, x);  // x² has one fractional bit less than x
    const int64_t bit = x >> 61;
    logarithm = 2 * logarithm + bit;
    x <<= 1 - bit;
  }
  const int64_t log10_of_2 = 1388255822130839283;  // times 2^62
  const int64_t size = product_above_62_bits(logarithm < 0 ? -logarithm : logarithm, log10_of_2);
  return int64_to_float(logarithm < 0 ? -size : size) * exp2_int(-52);
}

/// Maps responses to positive floats with the same order and the same ties, which SIFT's kernels need for ranking. No
/// response lies between 0 and ±2^-23, and none reaches ±2^9. The bits of the floats in between are moved next to 0,
/// and then above it.
OCTAVO_CONSTANT int_v bits_below_responses = 0x33ffffff;
OCTAVO_CONSTANT int_v rank_of_0 = 0x10000002;
OCTAVO_INLINE float_v rank_of_response(float_v response) {
  const int_v above_0 = float_bits_to_int(fabs(response)) - bits_below_responses;
  return int_bits_to_float(rank_of_0 + (above_0 <= 0 ? 0 : response < 0 ? -above_0 : above_0));
}
OCTAVO_INLINE float_v response_of_rank(float_v rank) {
  const int_v from_0 = float_bits_to_int(rank) - rank_of_0;
  const float_v size = int_bits_to_float(from_0 == 0 ? 0 : bits_below_responses + (from_0 < 0 ? -from_0 : from_0));
  return from_0 < 0 ? -size : size;
}
