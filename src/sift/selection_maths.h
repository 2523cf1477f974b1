// Which pixel, and which cell of a grid, a keypoint belongs to. Included inside a namespace that has the words of
// scalar_words.h.

/// The whole number at or below `at` among 0 … count − 1; count ≤ 2^22.
OCTAVO_INLINE integer whole_among(real at, integer count) {
  const real below = round_down(at);
  return below < 0 ? 0 : below > to_real(count - 1) ? count - 1 : nearest(below);
}

/// The pixel nearest to a coordinate along a side of `size` pixels.
OCTAVO_INLINE integer nearest_pixel(real at, integer size) { return whole_among(at + constant(0.5f), size); }

/// Which of `parts` equal parts of a side of `size` pixels a coordinate lies in.
OCTAVO_INLINE integer part_of_side(real at, integer size, integer parts) {
  return whole_among((at + constant(0.5f)) * to_real(parts) / to_real(size), parts);
}
