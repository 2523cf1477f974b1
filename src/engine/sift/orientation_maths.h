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
  const Vote v = {round_to_int(angle_of_gradient(gy, gx) * splat(36.0f)),
                  round_to_int(root_of_square(fma(gx, gx, gy * gy)) * weight)};
  return v;
}

/// The vote of a pixel of a window of any size and shape (pooling_maths.h). The gradient is in the frame of the window,
/// whose places are in cells of 3σ. The window and its Gaussian are as above: 4.5σ is 1.5 cells, and 1.5σ is half a
/// cell, −log2(e)/2/0.5². `vote` is the window's (pooling_records.h): a pixel stands for those that are not read. The
/// unit is 2^−18 here, since an ellipse lengthens gradients by at most 2, and two windows may vote.
OCTAVO_INLINE Vote window_vote(float_v gx, float_v gy, float_v across, float_v down, float_v vote) {
  const mask_v inside = logical_and(less_than(fabs(across), splat(1.5f)), less_than(fabs(down), splat(1.5f)));
  const float_v weight = exp2_float(fma(across, across, down * down) * splat(-2.8853900817779268f));
  return orientation_vote(gx, gy, if_then_else(inside, weight * vote, splat(0.0f)));
}
