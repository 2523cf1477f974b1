// The steps from sums of votes to bytes (Lowe 2004, §6.1) that follow a canonical sum over the descriptor. Included
// inside a namespace that has the primitives of scalar_primitives.h.

/// The limit for values, given the sum of their squares: 0.2 of their length.
OCTAVO_INLINE float_v longest_value(float_v squares) { return splat(0.2f) * sqrt(squares); }

/// The factor that gives length 512 to values with this sum of squares.
OCTAVO_INLINE float_v sift_factor(float_v squares) {
  return splat(512.0f) / maximum(sqrt(squares), splat(1e-20f));  // prevents 0/0
}

OCTAVO_INLINE int_v byte_of(float_v x) {
  const int_v n = round_to_int(x);
  return n < 255 ? n : 255;
}

/// RootSIFT of one byte of a descriptor whose 128 bytes sum to `sum`: √(byte / sum)·512.
OCTAVO_INLINE int_v root_of_byte(int_v byte, int_v sum) {
  const float_v total = to_float(sum > 0 ? sum : 1);
  return byte_of(sqrt(splat(262144.0f) * to_float(byte) / total));
}
