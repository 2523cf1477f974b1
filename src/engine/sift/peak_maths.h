// The step from a histogram of directions to orientations (Lowe 2004, §5): circular smoothing by (1 4 6 4 1)/16, once
// or several times, peaks of at least 0.8 of the highest, each refined by a parabola through its neighbours. It uses
// integers until the last step. Included inside a namespace that has the primitives of scalar_primitives.h.

/// 16 times the smoothed votes of the bin in the middle of five: after n times up to 2^(32 + 4·n). n is at most 6.
OCTAVO_INLINE int64_t smoothed_votes(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e) {
  return a + e + 4 * (b + d) + 6 * c;
}

OCTAVO_INLINE mask_v is_peak(int64_t left, int64_t here, int64_t right, int64_t highest) {
  return here > left && here > right && 5 * here >= 4 * highest;
}

/// The maximum of the parabola through a peak and its neighbours, in [0, 1) turns. `bin` is that of the peak, 0…35.
OCTAVO_INLINE float_v turns_of_peak(int_v bin, int64_t left, int64_t here, int64_t right) {
  const float_v shift = splat(0.5f) * int64_to_float(left - right) / int64_to_float(left - 2 * here + right);
  float_v turns = (to_float(bin) + shift) / splat(36.0f);
  if (turns < 0) turns += 1;
  if (turns >= 1) turns = 0;
  return turns;
}
