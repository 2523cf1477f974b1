// The strength of a pixel. Included inside a namespace that has the primitives: of single numbers, of vectors, or of a
// GPU. It is written once, so the three cannot differ.

/// `around` holds the grey values of the neighbours in any order.
OCTAVO_INLINE float_v strength_of(float_v pixel, const float_v* around) {
  float_v highest = around[0];
  for (int i = 1; i < 8; ++i) highest = maximum(highest, around[i]);
  return pixel - highest;
}
