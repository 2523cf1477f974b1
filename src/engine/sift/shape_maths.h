// The steps of an affine shape (affine.h) before and after the sums of products. Included inside a namespace that has
// the primitives of scalar_primitives.h, frame_maths.h and pooling_maths.h.

/// The window of a keypoint's second moments, on the image whose blur is nearest to the keypoint's σ.
OCTAVO_INLINE ShapeWindow window_of_shape(PoolingRecord pooling, Oriented keypoint) {
  const LevelOfSize at = level_of_size(pooling, keypoint.octave, keypoint.scale * derivative_size);
  const float factor = exp2_int(keypoint.octave - at.octave);
  const float x = (to_float(keypoint.extremum.column) + keypoint.extremum.column_offset) * factor;
  const float y = (to_float(keypoint.extremum.row) + keypoint.extremum.row_offset) * factor;
  const float deviation = at.scale * (integration_size / derivative_size);
  const float variance = deviation * deviation;
  ShapeWindow w;
  w.octave = at.octave;
  w.layer = at.layer;
  w.column = round_any_to_int(x);
  w.row = round_any_to_int(y);
  w.x = x - to_float(w.column);
  w.y = y - to_float(w.row);
  w.factor = -0.72134752044448170f / variance;  // −log2(e)/2
  w.limit = variance * (window_end * window_end);
  return w;
}

/// [pixel] beyond these distances no place has a weight.
OCTAVO_INLINE int_v reach_across(ShapeWindow w, Shape s) {
  return round_to_int(sqrt(w.limit * fma(s.xx, s.xx, s.xy * s.xy))) + 1;
}
OCTAVO_INLINE int_v reach_down(ShapeWindow w, Shape s) { return round_to_int(sqrt(w.limit) * s.yy) + 1; }

/// The shape of these second moments μ: S·Sᵀ is μ⁻¹, scaled to determinant 1. It has xx = 0 if there is none, or if it
/// is longer than `longest_shape` allows.
OCTAVO_INLINE Shape shape_of_moments(int64_t xx, int64_t xy, int64_t yy) {
  const float across = int64_to_float(yy), both = negate(int64_to_float(xy)), down = int64_to_float(xx);
  const float squared = difference_of_products(across, down, both, both);
  Shape s;
  s.xx = 0;
  s.xy = 0;
  s.yy = 1;
  if (!(squared > 0.0f)) return s;
  const float determinant = sqrt(squared);
  // The eigenvalues of S·Sᵀ are r and 1/r, where r is the ratio of the axes.
  if (!(across + down <= (longest_shape + 1.0f / longest_shape) * determinant)) return s;
  s.yy = sqrt(down / determinant);
  s.xy = both / determinant / s.yy;
  s.xx = 1.0f / s.yy;
  return s;
}
