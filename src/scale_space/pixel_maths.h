// From pixels to the first image of the scale space. Included inside a namespace that has the words of scalar_words.h or
// vector_words.h.

/// Grey of a colour pixel: weights (already divided by the largest sample) times red, green, blue.
inline real luma_of(real red, real green, real blue, real weight_red, real weight_green, real weight_blue) {
  return fused(red, weight_red, fused(green, weight_green, blue * weight_blue));
}

/// Linear interpolation a quarter of the way from `near` towards `far`: samples of the doubled image sit at i/2 − 1/4.
inline real quarter_way(real near, real far) { return fused(constant(0.25f), far, constant(0.75f) * near); }
