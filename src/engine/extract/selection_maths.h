// The rank of a keypoint, and the pixel and the cell of a grid to which it belongs. Included inside a namespace that
// has the primitives of scalar_primitives.h.

/// What a budget goes by: octavo::Rank, as kernels read it.
enum { rank_by_response, rank_by_scale, rank_by_scaled_response };

/// The number by which a budget ranks keypoints: the greater the better.
OCTAVO_INLINE float_v rank_of(int_v rank, float_v response, float_v scale) {
  const float_v largest = splat(3.0f);  // [pixel] that counts in a scaled response
  const float_v scaled = response * (scale < largest ? scale : largest);
  return rank == rank_by_response ? response : rank == rank_by_scale ? scale : scaled;
}

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
