// The refinement of an extremum, from grid point to grid point. Included inside a namespace that has
// refinement_maths.h, extremum_limits.h and two names of the including file: `Differences`, which gives access to D,
// and difference_cube(Differences, layer, row, column, cube), which fills the 27 values of D around a grid point.

/// One step from the grid point whose cube is given. Returns true if the point moves on; otherwise `outcome` is that of
/// the refinement. The refinement began at `first_row` and `first_column`.
OCTAVO_INLINE bool moves_on(const float_v* cube, ExtremumLimits limits, int_v width, int_v height, int_v first_row,
                            int_v first_column, Extremum* e, Refinement* outcome) {
  const Quadratic q = quadratic_through(cube);
  const Offset o = extremum_of(q);
  *outcome = refinement_unstable;
  if (settled(o)) {
    e->column_offset = o.x;
    e->row_offset = o.y;
    e->layer_offset = o.s;
    e->value = value_at(q, o);
    if (fabs(e->value) * to_float(limits.layers) < limits.contrast) {
      *outcome = refinement_low_contrast;
    } else {
      *outcome = limits.edge == 0 || !is_edge(q, limits.edge) ? refinement_done : refinement_on_edge;
    }
    return false;
  }
  if (!bounded(o)) return false;
  e->column += round_to_int(o.x);
  e->row += round_to_int(o.y);
  e->layer += round_to_int(o.s);
  return e->layer >= 1 && e->layer <= limits.layers &&                                        //
         e->row >= extrema_border && e->row < height - extrema_border &&                      //
         e->column >= extrema_border && e->column < width - extrema_border &&                 //
         e->row - first_row <= refinement_reach && first_row - e->row <= refinement_reach &&  //
         e->column - first_column <= refinement_reach && first_column - e->column <= refinement_reach;
}

/// Moves from a candidate to the grid point from which the quadratic's extremum is at most half a pixel away, and tests
/// it there. Returns the outcome. Unless that is unstable, offsets and value are set, whatever the result of the tests.
OCTAVO_INLINE Refinement refine(Differences differences, ExtremumLimits limits, int_v width, int_v height,
                                Extremum* e) {
  const int_v first_row = e->row, first_column = e->column;
  Refinement outcome = refinement_unstable;
  for (int_v step = 0; step < refinement_steps; ++step) {
    float_v cube[27];
    difference_cube(differences, e->layer, e->row, e->column, cube);
    if (!moves_on(cube, limits, width, height, first_row, first_column, e, &outcome)) return outcome;
  }
  return refinement_unstable;
}
