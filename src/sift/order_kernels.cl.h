// Canonical order on a GPU: octave, layer, y, x, orientation. Keypoints are put to their rows of pixels in the order in
// which they come; then each counts those that come before it. Included by sift_kernels.cl.h.

// What canonical order within an octave and layer goes by, and the number of the keypoint.
typedef struct Place {
  real y, x, turns;
  integer keypoint;
} Place;

OCTAVO_INLINE Place place_of(const Oriented k, integer number) {
  Place p;
  p.y = to_real(k.extremum.row) + k.extremum.row_offset;
  p.x = to_real(k.extremum.column) + k.extremum.column_offset;
  p.turns = k.turns;
  p.keypoint = number;
  return p;
}

OCTAVO_INLINE truth comes_before(const Place a, const Place b) {
  return a.y < b.y || (a.y == b.y && (a.x < b.x || (a.x == b.x && a.turns < b.turns)));
}

// Keypoints of the rows before this one: whole spans of rows by their counts, from the coarsest on.
OCTAVO_INLINE integer keypoints_before(const SiftOfKernel sift, const GLOBAL word* tallies, integer row) {
  word before = 0;
  for (integer level = 2; level >= 0; --level) {
    const GLOBAL word* counts = tallies + sift.row_counts_at[level];
    const integer end = row >> (row_count_shift * level);
    const integer begin = level == 2 ? 0 : row >> (row_count_shift * (level + 1)) << row_count_shift;
#pragma unroll 8
    for (integer i = begin; i < end; ++i) before += counts[i];
  }
  return (integer)before;
}

// groups: any number. `row_starts` gets where the keypoints of each row begin that has any.
KERNEL THREADS(64) void place(const GLOBAL OctaveLayout* layout, const SiftOfKernel sift, GLOBAL word* tallies,
                              const GLOBAL Oriented* keypoints, GLOBAL integer* row_starts, GLOBAL Place* places) {
  await_previous_kernel();
  const integer total = listed(tallies[keypoint_counter], sift.keypoint_capacity);
  for (integer i = group_x * 64 + thread_x; i < total; i += groups_x * 64) {
    const Oriented k = keypoints[i];
    const integer row = row_of_keypoint(layout, k), start = keypoints_before(sift, tallies, row);
    const integer in_row = (integer)add_global(tallies + sift.row_fill_at + row, 1);
    if (in_row == 0) row_starts[row] = start;
    if (start + in_row < sift.keypoint_capacity) places[start + in_row] = place_of(k, i);
  }
}

// How many keypoints of a row come before p.
OCTAVO_INLINE integer places_before(const SiftOfKernel sift, const GLOBAL word* tallies,
                                    const GLOBAL integer* row_starts, const GLOBAL Place* places, integer row,
                                    const Place p) {
  const integer count = (integer)tallies[sift.row_counts_at[0] + row];
  const GLOBAL Place* of_row = places + (count > 0 ? row_starts[row] : 0);
  integer before = 0;
#pragma unroll 4
  for (integer i = 0; i < count; ++i) before += comes_before(of_row[i], p) ? 1 : 0;
  return before;
}

// groups: any number. A keypoint lies within half a pixel of its row, so only rounding can make it equal in y to one of
// a row next to its own, and nothing farther away can come between.
KERNEL THREADS(64) void rank(const GLOBAL OctaveLayout* layout, const SiftOfKernel sift, const GLOBAL word* tallies,
                             const GLOBAL Oriented* keypoints, const GLOBAL integer* row_starts,
                             const GLOBAL Place* places, GLOBAL Oriented* sorted, GLOBAL Keypoint* out) {
  await_previous_kernel();
  const integer total = in_order(sift.keypoint_capacity, tallies);
  for (integer i = group_x * 64 + thread_x; i < total; i += groups_x * 64) {
    const Place p = places[i];
    const Oriented k = keypoints[p.keypoint];
    const integer row = row_of_keypoint(layout, k);
    integer position = row_starts[row] + places_before(sift, tallies, row_starts, places, row, p);
    if (k.extremum.row > 0) {
      position += places_before(sift, tallies, row_starts, places, row - 1, p) -
                  (integer)tallies[sift.row_counts_at[0] + row - 1];
    }
    if (k.extremum.row + 1 < layout[k.octave].height) {
      position += places_before(sift, tallies, row_starts, places, row + 1, p);
    }
    sorted[position] = k;
    const integer octave = sift.first_octave + k.octave;
    Keypoint point;
    point.x = image_coordinate(k.extremum.column, k.extremum.column_offset, octave);
    point.y = image_coordinate(k.extremum.row, k.extremum.row_offset, octave);
    point.scale = k.scale * power_of_two(octave);
    point.orientation = radians_of(k.turns);
    point.response = absolute(k.extremum.value);
    point.octave = octave;
    point.layer = k.extremum.layer;
    out[position] = point;
  }
}
