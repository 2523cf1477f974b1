// Orientations of an extremum (Lowe 2004, §5): a histogram of 36 gradient directions in a window around it, each
// gradient voting with its length times a Gaussian of 1.5σ. Included inside a namespace that has the primitives of
// scalar_primitives.h or vector_primitives.h.
//
// Votes are integers, in units of 2^−20, so that their order does not matter. The sum fits 32 bits: pixels are 0…1, so
// a gradient is at most √2 long, and the window's weights sum to less than 2π(1.5σ)² + 1 ≤ 1815 for σ ≤ 11.3 (σ0 = 4, S
// = 1). So no bin exceeds 1815·√2·2^20 < 2^32.

typedef struct Vote {
  int_v bin;    // 0…36; 36 is the same direction as 0
  int_v count;  // in units of 2^−20
} Vote;

/// The vote of a pixel with gradient (gx, gy), the differences of its neighbours; the weight carries the factor 2^20.
OCTAVO_INLINE Vote orientation_vote(float_v gx, float_v gy, float_v weight) {
  Vote v;
  v.bin = round_to_int(angle_in_turns(gy, gx) * splat(36.0f));
  v.count = round_to_int(sqrt(fma(gx, gx, gy * gy)) * weight);
  return v;
}
