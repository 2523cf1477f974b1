// The step from pixels to the first image of the scale space. Included inside a namespace that has the primitives of
// scalar_primitives.h or vector_primitives.h.

/// Grey of a colour pixel: weights (already divided by the largest sample) times red, green, blue.
OCTAVO_INLINE float_v luma_of(float_v red, float_v green, float_v blue, float_v weight_red, float_v weight_green,
                              float_v weight_blue) {
  return fma(red, weight_red, fma(green, weight_green, blue * weight_blue));
}

/// Between two neighbours: samples of the doubled image sit at i/2.
OCTAVO_INLINE float_v halfway(float_v a, float_v b) { return (a + b) * splat(0.5f); }
