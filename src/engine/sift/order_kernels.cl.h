// Canonical order on a GPU: octave, layer, y, x, orientation. Keypoints are put to their rows of pixels in the order of
// their arrival. Then each keypoint counts those that come before it. Included by sift_kernels.cl.h.

OCTAVO_INLINE Place place_of(const Oriented k, int number) {
  Place p;
  p.y = to_float(k.extremum.row) + k.extremum.row_offset;
  p.x = to_float(k.extremum.column) + k.extremum.column_offset;
  p.turns = k.turns;
  p.keypoint = number;
  return p;
}

OCTAVO_INLINE bool comes_before(const Place a, const Place b) {
  return a.y < b.y || (a.y == b.y && (a.x < b.x || (a.x == b.x && a.turns < b.turns)));
}

// Keypoints of the rows before this one: whole spans of rows by their counts, from the coarsest on. 32 counts are read
// at once: a loop of single ones would wait for each.
OCTAVO_INLINE int keypoints_before(const SiftOfKernel sift, const GLOBAL uint* tallies, int row) {
  uint before = 0;
  for (int level = 2; level >= 0; --level) {
    const GLOBAL uint* counts = tallies + sift.row_counts_at[level];
    const int end = row >> (row_count_shift * level);
    const int begin = level == 2 ? 0 : row >> (row_count_shift * (level + 1)) << row_count_shift;
    for (int first = begin; first < end; first += 32) {
#pragma unroll
      for (int i = 0; i < 32; ++i) before += first + i < end ? counts[first + i] : 0;
    }
  }
  return (int)before;
}

// groups: any number. `row_starts` receives the index of the first keypoint of each row that has any.
KERNEL WORK_GROUP_SIZE(rank_threads) void place(const GLOBAL OctaveLayout* layout, const SiftOfKernel sift,
                                                GLOBAL uint* tallies, const GLOBAL Oriented* keypoints,
                                                GLOBAL int* row_starts, GLOBAL Place* places) {
  await_previous_kernel();
  const int total = listed(tallies[keypoint_counter], sift.keypoint_capacity);
  for (int i = group_id_x * rank_threads + local_id_x; i < total; i += num_groups_x * rank_threads) {
    const Oriented k = keypoints[i];
    const int row = row_of_keypoint(layout, k), start = keypoints_before(sift, tallies, row);
    const int in_row = (int)atomic_add_global(tallies + sift.row_fill_at + row, 1);
    if (in_row == 0) row_starts[row] = start;
    if (start + in_row < sift.keypoint_capacity) places[start + in_row] = place_of(k, i);
  }
}

// The number of keypoints of a row that come before p.
OCTAVO_INLINE int places_before(const SiftOfKernel sift, const GLOBAL uint* tallies, const GLOBAL int* row_starts,
                                const GLOBAL Place* places, int row, const Place p) {
  const int count = (int)tallies[sift.row_counts_at[0] + row];
  const GLOBAL Place* of_row = places + (count > 0 ? row_starts[row] : 0);
  int before = 0;
#pragma unroll 4
  for (int i = 0; i < count; ++i) before += comes_before(of_row[i], p) ? 1 : 0;
  return before;
}

// groups: any number. A keypoint lies within half a pixel of its row, so only rounding can make it equal in y to one of
// a row next to its own, and nothing farther away can come between. `order` receives the numbers of the keypoints, and
// with a budget and no grid `keys` the keys for the selection.
KERNEL WORK_GROUP_SIZE(rank_threads) void rank(const GLOBAL OctaveLayout* layout, const SiftOfKernel sift,
                                               const SelectionOfKernel selection, GLOBAL uint* tallies,
                                               const GLOBAL Oriented* keypoints, const GLOBAL int* row_starts,
                                               const GLOBAL Place* places, GLOBAL int* order, GLOBAL Keypoint* out,
                                               GLOBAL uint* keys) {
  await_previous_kernel();
  const int total = in_order(sift.keypoint_capacity, tallies);
  for (int i = group_id_x * rank_threads + local_id_x; i < total; i += num_groups_x * rank_threads) {
    const Place p = places[i];
    const Oriented k = keypoints[p.keypoint];
    const int row = row_of_keypoint(layout, k);
    int position = row_starts[row] + places_before(sift, tallies, row_starts, places, row, p);
    if (k.extremum.row > 0) {
      position +=
          places_before(sift, tallies, row_starts, places, row - 1, p) - (int)tallies[sift.row_counts_at[0] + row - 1];
    }
    if (k.extremum.row + 1 < layout[k.octave].height) {
      position += places_before(sift, tallies, row_starts, places, row + 1, p);
    }
    order[position] = p.keypoint;
    const int octave = sift.first_octave + k.octave;
    Keypoint point;
    point.x = image_coordinate(k.extremum.column, k.extremum.column_offset, octave);
    point.y = image_coordinate(k.extremum.row, k.extremum.row_offset, octave);
    point.scale = k.scale * exp2_int(octave);
    point.orientation = radians_of(k.turns);
    point.response = fabs(k.extremum.value);
    point.octave = octave;
    point.layer = k.extremum.layer;
    point.a11 = point.a12 = point.a21 = point.a22 = 0;
    if (sift.affine != 0) {
      const float cosine = cosine_of_turns(k.turns), sine = sine_of_turns(k.turns);
      point.a11 = point.scale * (cosine * k.shape.xx + sine * k.shape.xy);
      point.a12 = point.scale * (cosine * k.shape.xy - sine * k.shape.xx);
      point.a21 = point.scale * (sine * k.shape.yy);
      point.a22 = point.scale * (cosine * k.shape.yy);
      point.orientation = radians_of(turns_in_image(point.a11, point.a21));
    }
    out[position] = point;
    select_key(point, position, selection, tallies, keys);
  }
}
