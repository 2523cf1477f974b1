// Sub-pixel refinement of an extremum of D (Lowe 2004, §4): the quadratic D + gᵀx + ½xᵀHx through the 3×3×3
// neighbourhood has its extremum at x̂ = −H⁻¹g, where D(x̂) = D + ½gᵀx̂. The inverse is written out as cofactors over the
// determinant. Included inside a namespace that has the words of scalar_words.h.
//
// A cube holds D at 27 points: [9·(layer + 1) + 3·(row + 1) + column + 1] for offsets −1, 0, 1.

typedef struct Quadratic {
  real value;       // D at the centre
  real dx, dy, ds;  // gradient along column, row, layer
  real dxx, dyy, dss, dxy, dxs, dys;
} Quadratic;

OCTAVO_INLINE Quadratic quadratic_through(const real* cube) {
  const real one_half = constant(0.5f), quarter = constant(0.25f), minus_two = constant(-2.0f);
  const real* below = cube;
  const real* here = cube + 9;
  const real* above = cube + 18;
  Quadratic q;
  q.value = here[4];
  q.dx = (here[5] - here[3]) * one_half;
  q.dy = (here[7] - here[1]) * one_half;
  q.ds = (above[4] - below[4]) * one_half;
  q.dxx = fused(minus_two, here[4], here[5] + here[3]);
  q.dyy = fused(minus_two, here[4], here[7] + here[1]);
  q.dss = fused(minus_two, here[4], above[4] + below[4]);
  q.dxy = ((here[8] - here[6]) - (here[2] - here[0])) * quarter;
  q.dxs = ((above[5] - above[3]) - (below[5] - below[3])) * quarter;
  q.dys = ((above[7] - above[1]) - (below[7] - below[1])) * quarter;
  return q;
}

typedef struct Offset {
  real x, y, s;  // along column, row, layer; not finite where H is singular
} Offset;

OCTAVO_INLINE Offset extremum_of(Quadratic q) {
  const real cxx = difference_of_products(q.dyy, q.dss, q.dys, q.dys);
  const real cxy = difference_of_products(q.dxs, q.dys, q.dxy, q.dss);
  const real cxs = difference_of_products(q.dxy, q.dys, q.dxs, q.dyy);
  const real cyy = difference_of_products(q.dxx, q.dss, q.dxs, q.dxs);
  const real cys = difference_of_products(q.dxy, q.dxs, q.dxx, q.dys);
  const real css = difference_of_products(q.dxx, q.dyy, q.dxy, q.dxy);
  const real determinant = fused(q.dxx, cxx, fused(q.dxy, cxy, q.dxs * cxs));
  const real scale = constant(-1.0f) / determinant;
  Offset o;
  o.x = fused(cxx, q.dx, fused(cxy, q.dy, cxs * q.ds)) * scale;
  o.y = fused(cxy, q.dx, fused(cyy, q.dy, cys * q.ds)) * scale;
  o.s = fused(cxs, q.dx, fused(cys, q.dy, css * q.ds)) * scale;
  return o;
}

/// All three within half a pixel: the extremum belongs to this grid point.
OCTAVO_INLINE truth settled(Offset o) {
  return less(absolute(o.x), constant(0.5f)) && less(absolute(o.y), constant(0.5f)) &&
         less(absolute(o.s), constant(0.5f));
}

/// All three small enough to become a move (false for infinities and NaN).
OCTAVO_INLINE truth bounded(Offset o) {
  const real limit = constant(16.0f);
  return less(absolute(o.x), limit) && less(absolute(o.y), limit) && less(absolute(o.s), limit);
}

/// D(x̂).
OCTAVO_INLINE real value_at(Quadratic q, Offset o) {
  return fused(constant(0.5f), fused(q.dx, o.x, fused(q.dy, o.y, q.ds * o.s)), q.value);
}

/// Determinant of the spatial Hessian.
OCTAVO_INLINE real spatial_determinant(Quadratic q) { return difference_of_products(q.dxx, q.dyy, q.dxy, q.dxy); }

/// tr²/det of the spatial Hessian is at least `limit`, or the curvatures differ in sign (Lowe 2004, §4.1).
OCTAVO_INLINE truth is_edge(Quadratic q, real limit) {
  const real trace = q.dxx + q.dyy;
  const real determinant = spatial_determinant(q);
  return !less(constant(0.0f), determinant) || !less(trace * trace, limit * determinant);
}
