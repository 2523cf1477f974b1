// Angles, sines and exponentials from +, −, ×, ÷ and fma alone, so that every device computes the same bits.
// Polynomials are near-minimax fits; the bounds beside them are checked against double precision by maths_test.cc.
// Angles are in turns (1 = 360°): bins of a histogram are then a multiplication away, and reduction to a quadrant is
// exact. Included inside a namespace that has the primitives of scalar_primitives.h or vector_primitives.h, and
// polynomials.h.

/// The angle of (x, y), given the sizes of both and the smaller size over the larger: arctan t / 2π on [0, 1] by an odd
/// polynomial of degree 11, octants put together.
OCTAVO_INLINE float_v angle_of_octant(float_v y, float_v x, float_v ay, float_v ax, float_v t) {
  const float_v s = t * t;
  const float_v p = quintic(s, -0.0021837418898940086f, 0.009243311360478401f, -0.01937921717762947f,
                            0.031166141852736473f, -0.053001437336206436f, 0.15915432572364807f);
  float_v turns = p * t;
  turns = if_then_else(less_than(ax, ay), splat(0.25f) - turns, turns);
  turns = if_then_else(less_than(x, splat(0.0f)), splat(0.5f) - turns, turns);
  return if_then_else(less_than(y, splat(0.0f)), splat(1.0f) - turns, turns);
}

/// Angle of (x, y) from +x towards +y, in [0, 1] turns (just below a full turn rounds up to 1); 0 for (0, 0). Error
/// below 1e-6 turns.
OCTAVO_INLINE float_v angle_in_turns(float_v y, float_v x) {
  const float_v ax = fabs(x), ay = fabs(y);
  return angle_of_octant(y, x, ay, ax, minimum(ax, ay) / maximum(maximum(ax, ay), splat(1e-30f)));
}

/// The same for a gradient that votes. The bits may differ only where they do not count: where the gradient is shorter
/// than 2^−41, so that its votes round to 0, or where the angle to an axis is below 2^−30 turns, which no bin or share
/// tells from 0.
OCTAVO_INLINE float_v angle_of_gradient(float_v y, float_v x) {
  const float_v ax = fabs(x), ay = fabs(y);
  return angle_of_octant(y, x, ay, ax, quotient_of_sizes(minimum(ax, ay), maximum(maximum(ax, ay), splat(1e-30f))));
}

/// 2^x for −126 ≤ x ≤ 127 (below: as at −126). Relative error below 3e-7.
OCTAVO_INLINE float_v exp2_float(float_v x) {
  const float_v bounded = maximum(x, splat(-126.0f));
  const int_v n = round_to_int(bounded);
  const float_v f = bounded - round_to_float(bounded);
  const float_v p = quintic(f, 0.0013410005485638976f, 0.009676036424934864f, 0.05550297349691391f, 0.2402210682630539f,
                            0.6931472420692444f, 1.0000001192092896f);
  return p * exp2_int(n);
}

/// sin 2πf for |f| ≤ 1/8.
OCTAVO_INLINE float_v sine_near_zero(float_v f) {
  const float_v s = f * f;
  return cubic(s, -75.40206909179688f, 81.5925521850586f, -41.3416633605957f, 6.2831854820251465f) * f;
}

/// cos 2πf for |f| ≤ 1/8.
OCTAVO_INLINE float_v cosine_near_zero(float_v f) {
  const float_v s = f * f;
  return cubic(s, -83.59261322021484f, 64.92124938964844f, -19.739152908325195f, 1.0f);
}

/// sin(2π·(f + quadrant/4)) for |f| ≤ 1/8.
OCTAVO_INLINE float_v sine_in_quadrant(float_v f, int_v quadrant) {
  const mask_v even = equal(bit_and(quadrant, splat_int(1)), splat_int(0));
  const float_v size = if_then_else(even, sine_near_zero(f), cosine_near_zero(f));
  return if_then_else(equal(bit_and(quadrant, splat_int(2)), splat_int(0)), size, splat(0.0f) - size);
}

/// Sine of an angle in turns, |turns| ≤ 2^20. Absolute error below 4e-7.
OCTAVO_INLINE float_v sine_of_turns(float_v turns) {
  const int_v quadrant = round_to_int(turns * splat(4.0f));
  return sine_in_quadrant(fma(to_float(quadrant), splat(-0.25f), turns), quadrant);
}

/// Cosine of an angle in turns, |turns| ≤ 2^20. Absolute error below 4e-7.
OCTAVO_INLINE float_v cosine_of_turns(float_v turns) {
  const int_v quadrant = round_to_int(turns * splat(4.0f));
  return sine_in_quadrant(fma(to_float(quadrant), splat(-0.25f), turns), add(quadrant, splat_int(1)));
}

/// a·b − c·d without the cancellation of two rounded products (Kahan).
OCTAVO_INLINE float_v difference_of_products(float_v a, float_v b, float_v c, float_v d) {
  const float_v cd = c * d;
  const float_v error = fma(splat(0.0f) - c, d, cd);
  return fma(a, b, splat(0.0f) - cd) + error;
}
