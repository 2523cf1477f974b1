// Angles, sines and exponentials from +, −, ×, ÷ and fma alone, so that every device computes the same bits.
// Polynomials are near-minimax fits; the bounds beside them are checked against double precision by maths_test.cc.
// Angles are in turns (1 = 360°): bins of a histogram are then a multiplication away, and reduction to a quadrant is
// exact. Included inside a namespace that has the words of scalar_words.h or vector_words.h.

/// Angle of (x, y) from +x towards +y, in [0, 1] turns (just below a full turn rounds up to 1); 0 for (0, 0). Error
/// below 1e-6 turns. arctan t / 2π on [0, 1] by an odd polynomial of degree 11, octants put together.
OCTAVO_INLINE real angle_in_turns(real y, real x) {
  const real ax = absolute(x);
  const real ay = absolute(y);
  const real longer = maximum(maximum(ax, ay), constant(1e-30f));
  const real t = minimum(ax, ay) / longer;
  const real s = t * t;
  real p = constant(-0.0021837418898940086f);
  p = fused(p, s, constant(0.009243311360478401f));
  p = fused(p, s, constant(-0.01937921717762947f));
  p = fused(p, s, constant(0.031166141852736473f));
  p = fused(p, s, constant(-0.053001437336206436f));
  p = fused(p, s, constant(0.15915432572364807f));
  real turns = p * t;
  turns = choose(less(ax, ay), constant(0.25f) - turns, turns);
  turns = choose(less(x, constant(0.0f)), constant(0.5f) - turns, turns);
  return choose(less(y, constant(0.0f)), constant(1.0f) - turns, turns);
}

/// 2^x for −126 ≤ x ≤ 127 (below: as at −126). Relative error below 3e-7.
OCTAVO_INLINE real power_of_2(real x) {
  const real bounded = maximum(x, constant(-126.0f));
  const integer n = nearest(bounded);
  const real f = bounded - to_real(n);
  real p = constant(0.0013410005485638976f);
  p = fused(p, f, constant(0.009676036424934864f));
  p = fused(p, f, constant(0.05550297349691391f));
  p = fused(p, f, constant(0.2402210682630539f));
  p = fused(p, f, constant(0.6931472420692444f));
  p = fused(p, f, constant(1.0000001192092896f));
  return p * power_of_two(n);
}

/// sin 2πf for |f| ≤ 1/8.
OCTAVO_INLINE real sine_near_zero(real f) {
  const real s = f * f;
  real p = constant(-75.40206909179688f);
  p = fused(p, s, constant(81.5925521850586f));
  p = fused(p, s, constant(-41.3416633605957f));
  p = fused(p, s, constant(6.2831854820251465f));
  return p * f;
}

/// cos 2πf for |f| ≤ 1/8.
OCTAVO_INLINE real cosine_near_zero(real f) {
  const real s = f * f;
  real p = constant(-83.59261322021484f);
  p = fused(p, s, constant(64.92124938964844f));
  p = fused(p, s, constant(-19.739152908325195f));
  return fused(p, s, constant(1.0f));
}

/// sin(2π·(f + quadrant/4)) for |f| ≤ 1/8.
OCTAVO_INLINE real sine_in_quadrant(real f, integer quadrant) {
  const truth even = same(bit_and(quadrant, whole(1)), whole(0));
  const real size = choose(even, sine_near_zero(f), cosine_near_zero(f));
  return choose(same(bit_and(quadrant, whole(2)), whole(0)), size, constant(0.0f) - size);
}

/// Sine of an angle in turns, |turns| ≤ 2^20. Absolute error below 4e-7.
OCTAVO_INLINE real sine_of_turns(real turns) {
  const integer quadrant = nearest(turns * constant(4.0f));
  return sine_in_quadrant(fused(to_real(quadrant), constant(-0.25f), turns), quadrant);
}

/// Cosine of an angle in turns, |turns| ≤ 2^20. Absolute error below 4e-7.
OCTAVO_INLINE real cosine_of_turns(real turns) {
  const integer quadrant = nearest(turns * constant(4.0f));
  return sine_in_quadrant(fused(to_real(quadrant), constant(-0.25f), turns), plus(quadrant, whole(1)));
}

/// a·b − c·d without the cancellation of two rounded products (Kahan).
OCTAVO_INLINE real difference_of_products(real a, real b, real c, real d) {
  const real cd = c * d;
  const real error = fused(constant(0.0f) - c, d, cd);
  return fused(a, b, constant(0.0f) - cd) + error;
}
