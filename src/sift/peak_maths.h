// From a histogram of directions to orientations (Lowe 2004, §5): circular smoothing by (1 4 6 4 1)/16, peaks of at
// least 0.8 of the highest, each refined by a parabola through its neighbours. In integers until the last step.
// Included inside a namespace that has the words of scalar_words.h.

/// 16 times the smoothed votes of the bin in the middle of five, up to 2^36.
OCTAVO_INLINE wide smoothed_votes(wide a, wide b, wide c, wide d, wide e) { return a + e + 4 * (b + d) + 6 * c; }

OCTAVO_INLINE truth is_peak(wide left, wide here, wide right, wide highest) {
  return here > left && here > right && 5 * here >= 4 * highest;
}

/// Where the parabola through a peak and its neighbours is highest, in [0, 1) turns; `bin` is the peak's, 0…35.
OCTAVO_INLINE real turns_of_peak(integer bin, wide left, wide here, wide right) {
  const real shift = constant(0.5f) * wide_to_real(left - right) / wide_to_real(left - 2 * here + right);
  real turns = (to_real(bin) + shift) / constant(36.0f);
  if (turns < 0) turns += 1;
  if (turns >= 1) turns = 0;
  return turns;
}
