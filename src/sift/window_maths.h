// The Gaussian windows around a keypoint. They are the same in every direction, so the weight of a pixel is the product
// of a weight for its column and one for its row, which few exponentials provide. Included inside a namespace that has
// the words of scalar_words.h or vector_words.h.

/// Weight of a pixel `distance` columns (or rows) away: factor = window_factor(deviation); column and row weights
/// multiply.
OCTAVO_INLINE real window_weight(real distance, real factor) { return power_of_2(distance * distance * factor); }

OCTAVO_INLINE real window_factor(real deviation) {
  return constant(-0.72134752044448170f) / (deviation * deviation);  // −log2(e)/2
}
