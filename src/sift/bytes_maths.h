// The steps from sums of votes to bytes (Lowe 2004, §6.1) that follow a canonical sum over the descriptor. Included
// inside a namespace that has the words of scalar_words.h.

/// Values above this are cut, given the sum of their squares: 0.2 of their length.
OCTAVO_INLINE real longest_value(real squares) { return constant(0.2f) * square_root(squares); }

/// What makes length 512 of values with this sum of squares.
OCTAVO_INLINE real sift_factor(real squares) {
  return constant(512.0f) / maximum(square_root(squares), constant(1e-20f));  // keeps 0/0 away
}

OCTAVO_INLINE integer byte_of(real x) {
  const integer n = nearest(x);
  return n < 255 ? n : 255;
}

/// RootSIFT of a descriptor's byte, where the 128 add up to `sum`: √(byte / sum)·512.
OCTAVO_INLINE integer root_of_byte(integer byte, integer sum) {
  const real total = to_real(sum > 0 ? sum : 1);
  return byte_of(square_root(constant(262144.0f) * to_real(byte) / total));
}
