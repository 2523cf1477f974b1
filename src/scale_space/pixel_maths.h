// From pixels to the first image of the scale space. Included inside a namespace that has the words of scalar_words.h
// or vector_words.h.

/// Grey of a colour pixel: weights (already divided by the largest sample) times red, green, blue.
OCTAVO_INLINE real luma_of(real red, real green, real blue, real weight_red, real weight_green, real weight_blue) {
  return fused(red, weight_red, fused(green, weight_green, blue * weight_blue));
}

/// Between two neighbours: samples of the doubled image sit at i/2.
OCTAVO_INLINE real halfway(real a, real b) { return (a + b) * constant(0.5f); }
