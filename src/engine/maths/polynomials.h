// Polynomials by Horner's rule, with one rounding in each step. No step's result may be subnormal. Included inside a
// namespace that has the primitives of scalar_primitives.h or vector_primitives.h; fused_primitives.h may have others.

OCTAVO_INLINE float_v cubic(float_v x, float c3, float c2, float c1, float c0) {
  return fma(fma(fma(splat(c3), x, splat(c2)), x, splat(c1)), x, splat(c0));
}

OCTAVO_INLINE float_v quintic(float_v x, float c5, float c4, float c3, float c2, float c1, float c0) {
  const float_v p = fma(fma(fma(splat(c5), x, splat(c4)), x, splat(c3)), x, splat(c2));
  return fma(fma(p, x, splat(c1)), x, splat(c0));
}
