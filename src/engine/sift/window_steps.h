// Which pixels of an image a window reads: those in whole steps of 1 or 2 pixels from the one nearest to its centre.
// Included inside a namespace that has the primitives of scalar_primitives.h.

/// The first and the last step of a window of this reach around pixel `at` of a row or column of `size` pixels, of
/// which those at the ends have no gradient. A window far outside has none: its first is after its last.
OCTAVO_INLINE int first_step(int at, int reach, int step) {
  const int inside = (step - at) >> (step - 1);
  return inside > -reach ? inside : -reach;
}
OCTAVO_INLINE int last_step(int at, int size, int reach, int step) {
  const int inside = (size - 2 - at) >> (step - 1);
  return inside < reach ? inside : reach;
}
