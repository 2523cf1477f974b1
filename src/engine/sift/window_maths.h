// The Gaussian windows around a keypoint. They are separable: the weight of a pixel is the product of the weights of
// its column and its row, so few exponentials suffice. Included inside a namespace that has the primitives of
// scalar_primitives.h or vector_primitives.h.

/// Weight of a pixel `distance` columns (or rows) away: factor = window_factor(deviation); column and row weights
/// multiply.
OCTAVO_INLINE float_v window_weight(float_v distance, float_v factor) {
  return exp2_float(distance * distance * factor);
}

OCTAVO_INLINE float_v window_factor(float_v deviation) {
  return splat(-0.72134752044448170f) / (deviation * deviation);  // −log2(e)/2
}
