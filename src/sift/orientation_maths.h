// Orientations of an extremum (Lowe 2004, §5): a histogram of 36 gradient directions in a window around it, each
// gradient voting with its length times a Gaussian of 1.5σ. Included inside a namespace that has the words of
// scalar_words.h or vector_words.h.
//
// Votes are integers, in units of 2^−20, so that their order cannot matter. The sum fits 32 bits: pixels being 0…1, a
// gradient is at most √2 long, and the window's weights sum to less than 2π(1.5σ)² + 1 ≤ 1815 for σ ≤ 11.3 (σ0 = 4, S =
// 1), so that no bin exceeds 1815·√2·2^20 < 2^32.

typedef struct Vote {
  integer bin;    // 0…36; 36 is the same direction as 0
  integer count;  // in units of 2^−20
} Vote;

/// The vote of a pixel with gradient (gx, gy), the differences of its neighbours; the weight carries the factor 2^20.
OCTAVO_INLINE Vote orientation_vote(real gx, real gy, real weight) {
  Vote v;
  v.bin = nearest(angle_in_turns(gy, gx) * constant(36.0f));
  v.count = nearest(square_root(fused(gx, gx, gy * gy)) * weight);
  return v;
}
