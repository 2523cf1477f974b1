// Sub-pixel refinement of an extremum of D (Lowe 2004, §4): the quadratic D + gᵀx + ½xᵀHx through the 3×3×3
// neighbourhood has its extremum at x̂ = −H⁻¹g, where D(x̂) = D + ½gᵀx̂. The inverse is written out as cofactors over the
// determinant. Included inside a namespace that has the primitives of scalar_primitives.h.
//
// A cube holds D at 27 points: [9·(layer + 1) + 3·(row + 1) + column + 1] for offsets −1, 0, 1.

typedef struct Quadratic {
  float_v value;       // D at the centre
  float_v dx, dy, ds;  // gradient along column, row, layer
  float_v dxx, dyy, dss, dxy, dxs, dys;
} Quadratic;

OCTAVO_INLINE Quadratic quadratic_through(const float_v* cube) {
  const float_v one_half = splat(0.5f), quarter = splat(0.25f), minus_two = splat(-2.0f);
  const float_v* below = cube;
  const float_v* here = cube + 9;
  const float_v* above = cube + 18;
  Quadratic q;
  q.value = here[4];
  q.dx = (here[5] - here[3]) * one_half;
  q.dy = (here[7] - here[1]) * one_half;
  q.ds = (above[4] - below[4]) * one_half;
  q.dxx = fma(minus_two, here[4], here[5] + here[3]);
  q.dyy = fma(minus_two, here[4], here[7] + here[1]);
  q.dss = fma(minus_two, here[4], above[4] + below[4]);
  q.dxy = ((here[8] - here[6]) - (here[2] - here[0])) * quarter;
  q.dxs = ((above[5] - above[3]) - (below[5] - below[3])) * quarter;
  q.dys = ((above[7] - above[1]) - (below[7] - below[1])) * quarter;
  return q;
}

typedef struct Offset {
  float_v x, y, s;  // along column, row, layer; not finite where H is singular
} Offset;

OCTAVO_INLINE Offset extremum_of(Quadratic q) {
  const float_v cxx = difference_of_products(q.dyy, q.dss, q.dys, q.dys);
  const float_v cxy = difference_of_products(q.dxs, q.dys, q.dxy, q.dss);
  const float_v cxs = difference_of_products(q.dxy, q.dys, q.dxs, q.dyy);
  const float_v cyy = difference_of_products(q.dxx, q.dss, q.dxs, q.dxs);
  const float_v cys = difference_of_products(q.dxy, q.dxs, q.dxx, q.dys);
  const float_v css = difference_of_products(q.dxx, q.dyy, q.dxy, q.dxy);
  const float_v determinant = fma(q.dxx, cxx, fma(q.dxy, cxy, q.dxs * cxs));
  const float_v scale = splat(-1.0f) / determinant;
  Offset o;
  o.x = fma(cxx, q.dx, fma(cxy, q.dy, cxs * q.ds)) * scale;
  o.y = fma(cxy, q.dx, fma(cyy, q.dy, cys * q.ds)) * scale;
  o.s = fma(cxs, q.dx, fma(cys, q.dy, css * q.ds)) * scale;
  return o;
}

/// True if all three are within half a pixel: the extremum belongs to this grid point.
OCTAVO_INLINE mask_v settled(Offset o) {
  return less_than(fabs(o.x), splat(0.5f)) && less_than(fabs(o.y), splat(0.5f)) && less_than(fabs(o.s), splat(0.5f));
}

/// True if all three are small enough for a move (false for infinities and NaN).
OCTAVO_INLINE mask_v bounded(Offset o) {
  const float_v limit = splat(16.0f);
  return less_than(fabs(o.x), limit) && less_than(fabs(o.y), limit) && less_than(fabs(o.s), limit);
}

/// D(x̂).
OCTAVO_INLINE float_v value_at(Quadratic q, Offset o) {
  return fma(splat(0.5f), fma(q.dx, o.x, fma(q.dy, o.y, q.ds * o.s)), q.value);
}

/// Determinant of the spatial Hessian.
OCTAVO_INLINE float_v spatial_determinant(Quadratic q) { return difference_of_products(q.dxx, q.dyy, q.dxy, q.dxy); }

/// True if tr²/det of the spatial Hessian is at least `limit`, or if the curvatures differ in sign (Lowe 2004, §4.1).
OCTAVO_INLINE mask_v is_edge(Quadratic q, float_v limit) {
  const float_v trace = q.dxx + q.dyy;
  const float_v determinant = spatial_determinant(q);
  return !less_than(splat(0.0f), determinant) || !less_than(trace * trace, limit * determinant);
}
