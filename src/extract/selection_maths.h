// The pixel, and the cell of a grid, to which a keypoint belongs. Included inside a namespace that has the primitives
// of scalar_primitives.h.

/// ⌊at⌋, limited to 0 … count − 1; count ≤ 2^22.
OCTAVO_INLINE int_v whole_among(float_v at, int_v count) {
  const float_v below = floor(at);
  return below < 0 ? 0 : below > to_float(count - 1) ? count - 1 : round_to_int(below);
}

/// The pixel nearest to a coordinate along a side of `size` pixels.
OCTAVO_INLINE int_v nearest_pixel(float_v at, int_v size) { return whole_among(at + splat(0.5f), size); }

/// Index of the part that contains a coordinate, if a side of `size` pixels is divided into `parts` equal parts.
OCTAVO_INLINE int_v part_of_side(float_v at, int_v size, int_v parts) {
  return whole_among((at + splat(0.5f)) * to_float(parts) / to_float(size), parts);
}
