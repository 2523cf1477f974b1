// The search for an extremum's resting place, from grid point to grid point. Included inside a namespace that has
// refinement_maths.h, extremum_limits.h and two names of the includer's: `Differences`, which knows where D is, and
// difference_cube(Differences, layer, row, column, cube), which fills the 27 values of D around a grid point.

/// Moves from a candidate to where the quadratic's extremum lies within half a pixel, and tests it there; says how that
/// went. Unless it is unstable, offsets and value are set, whatever the tests say.
OCTAVO_INLINE Refinement refine(Differences differences, ExtremumLimits limits, integer width, integer height,
                                Extremum* e) {
  const integer first_row = e->row, first_column = e->column;
  for (integer step = 0; step < refinement_steps; ++step) {
    real cube[27];
    difference_cube(differences, e->layer, e->row, e->column, cube);
    const Quadratic q = quadratic_through(cube);
    const Offset o = extremum_of(q);
    if (settled(o)) {
      e->column_offset = o.x;
      e->row_offset = o.y;
      e->layer_offset = o.s;
      e->value = value_at(q, o);
      if (absolute(e->value) * to_real(limits.layers) < limits.contrast) return refinement_low_contrast;
      return limits.edge == 0 || !is_edge(q, limits.edge) ? refinement_done : refinement_on_edge;
    }
    if (!bounded(o)) return refinement_unstable;
    e->column += nearest(o.x);
    e->row += nearest(o.y);
    e->layer += nearest(o.s);
    const truth inside = e->layer >= 1 && e->layer <= limits.layers &&                                        //
                         e->row >= extrema_border && e->row < height - extrema_border &&                      //
                         e->column >= extrema_border && e->column < width - extrema_border &&                 //
                         e->row - first_row <= refinement_reach && first_row - e->row <= refinement_reach &&  //
                         e->column - first_column <= refinement_reach && first_column - e->column <= refinement_reach;
    if (!inside) return refinement_unstable;
  }
  return refinement_unstable;
}
